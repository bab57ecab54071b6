import assert from 'node:assert/strict';
import { defaultPluginNames } from '../../../../src/admission/chain/create-chain.ts';
import { parseArguments } from '../../../../src/flags/parse-arguments.ts';
import { pluginWarnings } from '../../../../src/config/flags/admission-flags.ts';
import { parseFlags } from '../../../../src/config/parse-flags.ts';
import { serverFlagRules } from '../../../../src/config/server-flag-rules.ts';
import { serverFlags } from '../../../../src/config/server-options.ts';

/** Admission flags and the errors of the start. */
const refused: readonly (readonly [flags: readonly string[], error: RegExp])[] = [
  [['--enable-admission-plugins=Zork'], /^unknown admission plugin Zork; the known plugins are AlwaysAdmit, /],
  [['--admission-control=Zork'], /^unknown admission plugin Zork; the known plugins are AlwaysAdmit, /],
  [
    ['--admission-control=Priority', '--enable-admission-plugins=Priority'],
    /^--admission-control cannot be used with /,
  ],
  [['--admission-control=Priority', '--disable-admission-plugins=LimitRanger'], /^--admission-control cannot be used /],
  [['--default-not-ready-toleration-seconds=-1'], /"-1" is not valid/],
];

describe('the flags of admission', () => {
  for (const [flags, error] of refused) {
    it(`refuse ${flags.join(' ')}`, () => {
      const { errors } = parseArguments(serverFlags, serverFlagRules, flags);
      assert.equal(errors.length, 1, errors.join('\n'));
      assert.match(errors[0] ?? '', error);
    });
  }

  it('name plugins besides the default ones, or with the deprecated flag all of them', () => {
    assert.deepEqual(parseFlags([]).admissionPlugins, { enabled: [], disabled: [] });
    const besides = parseFlags(['--enable-admission-plugins=AlwaysPullImages', '--disable-admission-plugins=Priority']);
    assert.deepEqual(besides.admissionPlugins, { enabled: ['AlwaysPullImages'], disabled: ['Priority'] });
    const { enabled, disabled } = parseFlags(['--admission-control=AlwaysPullImages,Priority']).admissionPlugins;
    assert.deepEqual(enabled, ['AlwaysPullImages', 'Priority']);
    assert.deepEqual(
      disabled,
      defaultPluginNames.filter((name) => name !== 'Priority'),
    );
  });

  it('warn of the deprecated flag, and of deprecated plugins', () => {
    const { warnings } = parseArguments(serverFlags, serverFlagRules, ['--admission-control=Priority']);
    assert.deepEqual(warnings, [
      'Flag --admission-control has been deprecated, use --enable-admission-plugins and --disable-admission-plugins',
    ]);
    const plugins = ['--enable-admission-plugins=PodSecurityPolicy,AlwaysPullImages,AlwaysDeny'];
    assert.deepEqual(pluginWarnings(parseFlags(plugins)), [
      'the admission plugin PodSecurityPolicy is deprecated',
      'the admission plugin AlwaysDeny is deprecated',
    ]);
    assert.deepEqual(pluginWarnings(parseFlags([])), []);
  });

  it('set the configuration file and the default tolerations', () => {
    const options = parseFlags(['--admission-control-config-file=a.yaml', '--default-not-ready-toleration-seconds=9']);
    assert.equal(options.admissionControlConfigFile, 'a.yaml');
    assert.equal(options.defaultNotReadyTolerationSeconds, 9);
    assert.equal(options.defaultUnreachableTolerationSeconds, 300);
  });
});
