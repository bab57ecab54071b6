import { choiceFault, defaultPluginNames, pluginNames, type PluginChoice } from '../admission/create-chain.ts';
import type { FlagRule, FlagTable, FlagValues } from '../flags/flag-table.ts';
import { integer, list, text } from '../flags/flag-types.ts';
import { defined } from '../meta/defined.ts';
import { type AdmissionOptions, defaultAdmissionOptions } from './admission-options.ts';

const section = 'Admission';
const names = list('names');
const optionalPluginNames = pluginNames.filter((name) => !defaultPluginNames.includes(name));

/** The flags of admission. */
export const admissionFlags = {
  'enable-admission-plugins': {
    type: names,
    default: [],
    section,
    help: `admission plugins to enable besides ${defaultPluginNames.join(', ')}: ${optionalPluginNames.join(', ')}`,
  },
  'disable-admission-plugins': { type: names, default: [], section, help: 'admission plugins to disable' },
  'admission-control': {
    type: names,
    default: undefined,
    section,
    help: 'all admission plugins that run',
    deprecated: 'use --enable-admission-plugins and --disable-admission-plugins',
  },
  'admission-control-config-file': {
    type: text('file'),
    default: undefined,
    section,
    help: 'an AdmissionConfiguration with the configurations of admission plugins; read at the start only',
  },
  'default-not-ready-toleration-seconds': {
    type: integer('seconds'),
    default: defaultAdmissionOptions.defaultNotReadyTolerationSeconds,
    section,
    help: 'how long Pods without a toleration for it stay on a node that is not ready',
  },
  'default-unreachable-toleration-seconds': {
    type: integer('seconds'),
    default: defaultAdmissionOptions.defaultUnreachableTolerationSeconds,
    section,
    help: 'how long Pods without a toleration for it stay on a node that is unreachable',
  },
} as const satisfies FlagTable;

type AdmissionValues = FlagValues<typeof admissionFlags>;

/** Rules about several flags; each returns an error message or undefined. */
export const admissionFlagRules: readonly FlagRule<typeof admissionFlags>[] = [
  ({ given }) =>
    given('admission-control') && (given('enable-admission-plugins') || given('disable-admission-plugins'))
      ? '--admission-control cannot be used with --enable-admission-plugins or --disable-admission-plugins'
      : undefined,
  ({ values }) => choiceFault(choiceOf(values)) || undefined,
];

/** The options that the flags set. */
export function admissionOptionsOf(values: AdmissionValues): AdmissionOptions {
  return {
    admissionPlugins: choiceOf(values),
    admissionConfigurations: {},
    defaultNotReadyTolerationSeconds: values['default-not-ready-toleration-seconds'],
    defaultUnreachableTolerationSeconds: values['default-unreachable-toleration-seconds'],
    ...defined({ admissionControlConfigFile: values['admission-control-config-file'] }),
  };
}

/** `--admission-control` names every plugin that runs. */
function choiceOf(values: AdmissionValues): PluginChoice {
  const exact = values['admission-control'];
  if (!exact) return { enabled: values['enable-admission-plugins'], disabled: values['disable-admission-plugins'] };
  return { enabled: exact, disabled: defaultPluginNames.filter((name) => !exact.includes(name)) };
}
