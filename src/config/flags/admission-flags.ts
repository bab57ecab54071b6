import {
  choiceError,
  defaultPluginNames,
  deprecatedPlugins,
  pluginNames,
  type PluginChoice,
} from '../../admission/chain/create-chain.ts';
import { flagsOf } from '../../flags/flag-options.ts';
import { inSection, type FlagRule, type FlagValues } from '../../flags/flag-table.ts';
import { integer, list, text } from '../../flags/flag-types.ts';

const names = list('names');
const optionalPluginNames = pluginNames.filter((name) => !defaultPluginNames.includes(name));

/** The flags of admission. */
export const admissionFlags = inSection('Admission', {
  'enable-admission-plugins': {
    type: names,
    default: [],
    help: `admission plugins to enable besides ${defaultPluginNames.join(', ')}: ${optionalPluginNames.join(', ')}`,
  },
  'disable-admission-plugins': { type: names, default: [], help: 'admission plugins to disable' },
  'admission-control': {
    type: names,
    help: 'all admission plugins that run',
    deprecated: 'use --enable-admission-plugins and --disable-admission-plugins',
  },
  /** An AdmissionConfiguration, whose entries come before `admissionConfigurations`. */
  admissionControlConfigFile: {
    flag: 'admission-control-config-file',
    type: text('file'),
    help: 'an AdmissionConfiguration with the configurations of admission plugins; read at the start only',
  },
  /** How long Pods stay on a node that is not ready if they say nothing about it, in seconds. */
  defaultNotReadyTolerationSeconds: {
    flag: 'default-not-ready-toleration-seconds',
    type: integer('seconds'),
    default: 300,
    help: 'how long Pods without a toleration for it stay on a node that is not ready',
  },
  /** How long Pods stay on a node that is unreachable, in seconds. */
  defaultUnreachableTolerationSeconds: {
    flag: 'default-unreachable-toleration-seconds',
    type: integer('seconds'),
    default: 300,
    help: 'how long Pods without a toleration for it stay on a node that is unreachable',
  },
});

const flags = flagsOf(admissionFlags);

type AdmissionValues = FlagValues<typeof flags>;

/** Rules about several flags; each returns an error message or undefined. */
export const admissionFlagRules: readonly FlagRule<typeof flags>[] = [
  ({ given }) =>
    given('admission-control') && (given('enable-admission-plugins') || given('disable-admission-plugins'))
      ? '--admission-control cannot be used with --enable-admission-plugins or --disable-admission-plugins'
      : undefined,
  ({ values }) => choiceError(flaggedPlugins(values)) || undefined,
];

/** The choice of plugins by flags; `--admission-control` names every plugin that runs. */
export function flaggedPlugins(values: AdmissionValues): PluginChoice {
  const exact = values['admission-control'];
  if (!exact) return { enabled: values['enable-admission-plugins'], disabled: values['disable-admission-plugins'] };
  return { enabled: exact, disabled: defaultPluginNames.filter((name) => !exact.includes(name)) };
}

/** Notes about deprecated plugins that the options enable (spec 9.2). */
export function pluginWarnings({ admissionPlugins }: { admissionPlugins: PluginChoice }): readonly string[] {
  return deprecatedPlugins(admissionPlugins).map((name) => `the admission plugin ${name} is deprecated`);
}
