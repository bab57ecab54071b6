import assert from 'node:assert/strict';
import { parseArguments } from '../../../../src/flags/parse-arguments.ts';
import { anonymousAuthOf } from '../../../../src/server/access/authorizers-of.ts';
import { parseFlags } from '../../../../src/config/parse-flags.ts';
import { serverFlagRules } from '../../../../src/config/server-flag-rules.ts';
import { serverFlags } from '../../../../src/config/server-options.ts';

/** Authorization flags and the errors of the start. */
const refused: readonly (readonly [flags: readonly string[], error: RegExp])[] = [
  [['--authorization-mode='], /: at least one authorization mode must be given$/],
  [['--authorization-mode=AlwaysDeny,Zork'], /: authorization mode "Zork" is not a valid mode; use AlwaysAllow, /],
  [['--authorization-mode=alwaysallow'], /: authorization mode "alwaysallow" is not a valid mode; use /],
  [['--authorization-mode=AlwaysDeny,AlwaysDeny'], /: authorization mode AlwaysDeny is given more than once$/],
  [['--authorization-mode=ABAC'], /^authorization-mode ABAC's authorization policy file not passed$/],
  [['--authorization-mode=Webhook'], /^authorization-mode Webhook's authorization config file not passed$/],
  [
    ['--authorization-webhook-config-file=c'],
    /^cannot specify --authorization-webhook-config-file without mode Webhook$/,
  ],
  [['--authorization-webhook-version=v2'], /"v2" is not valid: use v1beta1 or v1$/],
  [
    ['--authorization-config=c', '--authorization-mode=AlwaysDeny'],
    /^--authorization-config can not be specified when --authorization-mode or --authorization-webhook-\* flags are/,
  ],
  [
    ['--authorization-config=c', '--authorization-webhook-cache-authorized-ttl=1s'],
    /^--authorization-config can not be specified when /,
  ],
  [['--authorization-policy-file=p'], /^cannot specify --authorization-policy-file without mode ABAC$/],
];

describe('the flags of authorization', () => {
  for (const [flags, error] of refused) {
    it(`refuse ${flags.join(' ')}`, () => {
      const { errors } = parseArguments(serverFlags, serverFlagRules, flags);
      assert.equal(errors.length, 1, errors.join('\n'));
      assert.match(errors[0] ?? '', error);
    });
  }

  it('list the modes in the order in which they are asked', () => {
    assert.deepEqual(parseFlags([]).authorizationMode, ['AlwaysAllow']);
    assert.deepEqual(parseFlags(['--authorization-mode=AlwaysDeny, AlwaysAllow']).authorizationMode, [
      'AlwaysDeny',
      'AlwaysAllow',
    ]);
  });

  it('name the policy file of ABAC', () => {
    const options = parseFlags(['--authorization-mode=ABAC', '--authorization-policy-file=policies']);
    assert.equal(options.authorizationPolicyFile, 'policies');
  });

  it('configure a webhook', () => {
    const flags = ['--authorization-mode=AlwaysDeny,Webhook', '--authorization-webhook-config-file=c'];
    const webhook = {
      type: 'Webhook',
      name: 'Webhook',
      clientConfigFile: 'c',
      version: 'v1beta1',
      authorizedTtlMs: 300_000,
      unauthorizedTtlMs: 30_000,
      timeoutMs: 30_000,
      onFailure: 'no-opinion',
    };
    assert.deepEqual(parseFlags(flags).authorizationMode, ['AlwaysDeny', webhook]);
    const more = [
      '--authorization-webhook-version=v1',
      '--authorization-webhook-cache-authorized-ttl=1s',
      '--authorization-webhook-cache-unauthorized-ttl=2s',
    ];
    assert.deepEqual(parseFlags([...flags, ...more]).authorizationMode, [
      'AlwaysDeny',
      { ...webhook, version: 'v1', authorizedTtlMs: 1000, unauthorizedTtlMs: 2000 },
    ]);
  });

  it('name a configuration in place of modes, with the policies of ABAC', () => {
    const options = parseFlags(['--authorization-config=c', '--authorization-policy-file=p']);
    assert.deepEqual([options.authorizationConfigFile, options.authorizationPolicyFile], ['c', 'p']);
  });

  it('serve anonymous requests by default unless one of the modes allows everything', () => {
    const anonymous = (modes: string): boolean => anonymousAuthOf(parseFlags([`--authorization-mode=${modes}`]));
    assert.equal(anonymous('AlwaysDeny'), true);
    assert.equal(anonymous('AlwaysAllow'), false);
    assert.equal(anonymous('AlwaysDeny,AlwaysAllow'), false);
  });
});
