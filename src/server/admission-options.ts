import { deprecatedPlugins, type PluginChoice } from '../admission/create-chain.ts';
import type { JsonObject } from '../meta/json-value.ts';

/** The options of admission. */
export interface AdmissionOptions {
  /** Admission plugins enabled or disabled in addition to the defaults; names as in spec 4.10. */
  readonly admissionPlugins: PluginChoice;
  /** Configurations of plugins by their name, as `--admission-control-config-file` has them. */
  readonly admissionConfigurations: Readonly<Record<string, JsonObject>>;
  /** An AdmissionConfiguration, whose entries come before `admissionConfigurations`. */
  readonly admissionControlConfigFile?: string;
  /** How long Pods stay on a node that is not ready if they say nothing about it, in seconds. */
  readonly defaultNotReadyTolerationSeconds: number;
  /** The same for unreachable nodes. */
  readonly defaultUnreachableTolerationSeconds: number;
}

/** The defaults of these options. */
export const defaultAdmissionOptions: AdmissionOptions = Object.freeze({
  admissionPlugins: Object.freeze({ enabled: Object.freeze([]), disabled: Object.freeze([]) }),
  admissionConfigurations: Object.freeze({}),
  defaultNotReadyTolerationSeconds: 300,
  defaultUnreachableTolerationSeconds: 300,
});

/** Notes about deprecated plugins that the options enable (spec 9.2). */
export function pluginWarnings({ admissionPlugins }: Pick<AdmissionOptions, 'admissionPlugins'>): readonly string[] {
  return deprecatedPlugins(admissionPlugins).map((name) => `the admission plugin ${name} is deprecated`);
}
