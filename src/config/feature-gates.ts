import { type ApiRelease, isSince } from '../scheme/api-release.ts';

/** A feature gate of Kubernetes: the releases of its stages, and its effect here. */
interface FeatureGate {
  readonly alpha?: string;
  readonly beta?: string;
  readonly ga?: string;
  /** The release from which the feature is given up. */
  readonly deprecated?: string;
  /**
   * The effect of setting it: `switch` enables and disables the feature, `always` means that the
   * feature is on in any case, `missing` that this server does not have it.
   */
  readonly effect: 'switch' | 'always' | 'missing';
}

/** The feature gates of kube-apiserver that concern its API, by name. */
export const featureGates = {
  APIListChunking: { alpha: '1.8', beta: '1.9', ga: '1.29', effect: 'switch' },
  APIPriorityAndFairness: { alpha: '1.18', beta: '1.20', ga: '1.29', effect: 'switch' },
  APIResponseCompression: { alpha: '1.8', beta: '1.16', effect: 'always' },
  APISelfSubjectReview: { alpha: '1.26', effect: 'always' },
  APIServerIdentity: { alpha: '1.20', beta: '1.26', effect: 'missing' },
  APIServerTracing: { alpha: '1.22', effect: 'missing' },
  AdvancedAuditing: { alpha: '1.7', beta: '1.8', ga: '1.12', effect: 'always' },
  AggregatedDiscoveryEndpoint: { alpha: '1.26', effect: 'always' },
  AnyVolumeDataSource: { alpha: '1.18', beta: '1.24', effect: 'always' },
  BoundServiceAccountTokenVolume: { alpha: '1.13', beta: '1.21', ga: '1.22', effect: 'switch' },
  CSIStorageCapacity: { alpha: '1.19', beta: '1.21', ga: '1.24', effect: 'switch' },
  CSRDuration: { beta: '1.22', ga: '1.24', effect: 'always' },
  CustomResourceValidationExpressions: { alpha: '1.23', beta: '1.25', effect: 'always' },
  DaemonSetUpdateSurge: { alpha: '1.21', beta: '1.22', ga: '1.25', effect: 'always' },
  DryRun: { alpha: '1.12', beta: '1.13', ga: '1.19', effect: 'always' },
  EfficientWatchResumption: { alpha: '1.20', beta: '1.21', ga: '1.24', effect: 'always' },
  EphemeralContainers: { alpha: '1.16', beta: '1.23', ga: '1.25', effect: 'switch' },
  GenericEphemeralVolume: { alpha: '1.19', beta: '1.21', ga: '1.23', effect: 'always' },
  HPAContainerMetrics: { alpha: '1.20', effect: 'always' },
  HPAScaleToZero: { alpha: '1.16', effect: 'missing' },
  IPv6DualStack: { alpha: '1.15', beta: '1.21', ga: '1.23', effect: 'always' },
  ImmutableEphemeralVolumes: { alpha: '1.18', beta: '1.19', ga: '1.21', effect: 'always' },
  IndexedJob: { alpha: '1.21', beta: '1.22', ga: '1.24', effect: 'always' },
  IngressClassNamespacedParams: { alpha: '1.21', beta: '1.22', ga: '1.23', effect: 'always' },
  JobTrackingWithFinalizers: { alpha: '1.22', beta: '1.23', ga: '1.26', effect: 'always' },
  NetworkPolicyEndPort: { alpha: '1.21', beta: '1.22', ga: '1.25', effect: 'always' },
  OpenAPIEnums: { alpha: '1.23', beta: '1.24', effect: 'always' },
  OpenAPIV3: { alpha: '1.23', beta: '1.24', effect: 'always' },
  PodOverhead: { alpha: '1.16', beta: '1.18', ga: '1.24', effect: 'always' },
  PodSecurity: { alpha: '1.22', beta: '1.23', ga: '1.25', effect: 'switch' },
  RemainingItemCount: { alpha: '1.15', beta: '1.16', effect: 'always' },
  RemoveSelfLink: { alpha: '1.16', beta: '1.20', ga: '1.24', effect: 'always' },
  RootCAConfigMap: { alpha: '1.13', beta: '1.20', ga: '1.21', effect: 'always' },
  RuntimeClass: { alpha: '1.12', beta: '1.14', ga: '1.20', effect: 'always' },
  ServerSideApply: { alpha: '1.14', beta: '1.16', ga: '1.22', effect: 'always' },
  ServerSideFieldValidation: { alpha: '1.23', beta: '1.25', effect: 'always' },
  ServiceInternalTrafficPolicy: { alpha: '1.21', beta: '1.22', ga: '1.26', effect: 'always' },
  ServiceLBNodePortControl: { alpha: '1.20', beta: '1.22', ga: '1.24', effect: 'always' },
  ServiceAccountIssuerDiscovery: { alpha: '1.18', beta: '1.20', ga: '1.21', effect: 'always' },
  ServiceAccountTokenJTI: { alpha: '1.29', beta: '1.30', ga: '1.32', effect: 'switch' },
  ServiceAccountTokenNodeBinding: { alpha: '1.29', beta: '1.31', ga: '1.33', effect: 'switch' },
  ServiceAccountTokenPodNodeInfo: { alpha: '1.29', beta: '1.30', ga: '1.32', effect: 'switch' },
  ServiceLoadBalancerClass: { alpha: '1.21', beta: '1.22', ga: '1.24', effect: 'always' },
  ServiceTopology: { alpha: '1.17', deprecated: '1.20', effect: 'missing' },
  StartupProbe: { alpha: '1.16', beta: '1.18', ga: '1.20', effect: 'always' },
  StatefulSetAutoDeletePVC: { alpha: '1.23', effect: 'missing' },
  StatefulSetMinReadySeconds: { alpha: '1.22', beta: '1.23', ga: '1.25', effect: 'always' },
  StorageVersionAPI: { alpha: '1.20', effect: 'missing' },
  StorageVersionHash: { alpha: '1.14', beta: '1.15', effect: 'always' },
  StreamingProxyRedirects: { beta: '1.5', deprecated: '1.18', effect: 'missing' },
  SuspendJob: { alpha: '1.21', beta: '1.22', ga: '1.24', effect: 'always' },
  TTLAfterFinished: { alpha: '1.12', beta: '1.21', ga: '1.23', effect: 'always' },
  TokenRequest: { alpha: '1.10', beta: '1.12', ga: '1.20', effect: 'always' },
  WarningHeaders: { beta: '1.19', ga: '1.22', effect: 'always' },
  WatchBookmark: { alpha: '1.15', beta: '1.16', ga: '1.17', effect: 'always' },
} as const satisfies Readonly<Record<string, FeatureGate>>;

/** The feature gates of a server. */
interface Features {
  /** True if a feature is on: as set, or by the default of its stage. */
  readonly isEnabled: (gate: string) => boolean;
  /** Notes about settings that are deprecated or have no effect. */
  readonly warnings: readonly string[];
}

/** The options that decide about features. */
interface FeatureOptions {
  /** The settings: `<gate>=true|false`. */
  readonly featureGates: readonly string[];
  readonly emulatedRelease: ApiRelease;
  /** Features of later releases exist too, and are on. */
  readonly emulationForwardCompatible: boolean;
}

type Stage = 'alpha' | 'beta' | 'ga' | 'deprecated';

/** The stages from the last to the first. */
const stages = ['deprecated', 'ga', 'beta', 'alpha'] as const;

/** Alpha features are off by default, beta ones on; GA ones cannot be turned off (spec 9.2). */
const defaults: Readonly<Record<Stage, boolean>> = { alpha: false, beta: true, ga: true, deprecated: false };

/** Settings that stand for all features of a stage that have no setting of their own. */
const stageGates: Readonly<Record<string, Stage>> = { AllAlpha: 'alpha', AllBeta: 'beta' };

const gates: ReadonlyMap<string, FeatureGate> = new Map(Object.entries(featureGates));

/** Reads the settings of feature gates. Throws RangeError with the `featureGateError`, if any. */
export function featuresOf(options: FeatureOptions): Features {
  const fault = featureGateError(options);
  if (fault !== undefined) throw new RangeError(fault);
  const settings = new Map(options.featureGates.map(splitSetting));
  return {
    isEnabled: (name) => {
      const stage = stageOf(name, options);
      const group = Object.keys(stageGates).find((key) => stageGates[key] === stage);
      const set = settings.get(name) ?? (group === undefined ? undefined : settings.get(group));
      if (set !== undefined) return set === 'true';
      return stage === undefined ? options.emulationForwardCompatible : defaults[stage];
    },
    warnings: [...settings].flatMap(([name, value]) => warningsOf(name, value, stageOf(name, options))),
  };
}

/** The reasons why settings of feature gates are refused; undefined if there are none. */
export function featureGateError(options: FeatureOptions): string | undefined {
  const faults = options.featureGates.flatMap((setting, index, all) => {
    const [name, value] = splitSetting(setting);
    const repeated = all.findIndex((other) => splitSetting(other)[0] === name) < index;
    if (repeated) return [`${name} is given more than once`];
    if (value !== 'true' && value !== 'false') return [`${JSON.stringify(setting)}: use <gate>=true or <gate>=false`];
    if (Object.hasOwn(stageGates, name)) return [];
    const stage = stageOf(name, options);
    if (stage === undefined) return [unknownGate(name, options)];
    if (stage !== 'ga' || value === 'true') return [];
    return [`cannot set feature gate ${name} to false, feature is locked to true`];
  });
  return faults.length === 0 ? undefined : `--feature-gates: ${faults.join('; ')}`;
}

function unknownGate(name: string, { emulatedRelease }: FeatureOptions): string {
  const isLater = gates.has(name);
  return `unrecognized feature gate: ${name}${isLater ? ` (later than the emulated release ${emulatedRelease})` : ''}`;
}

function splitSetting(setting: string): readonly [name: string, value: string] {
  const equals = setting.indexOf('=');
  return equals < 0 ? [setting, ''] : [setting.slice(0, equals), setting.slice(equals + 1)];
}

/** The stage of a feature in the emulated release; undefined if the release does not have it. */
function stageOf(name: string, { emulatedRelease }: FeatureOptions): Stage | undefined {
  const gate = gates.get(name);
  return stages.find((stage) => {
    const since = gate?.[stage];
    return since !== undefined && isSince(emulatedRelease, since);
  });
}

function warningsOf(name: string, value: string, stage: Stage | undefined): string[] {
  const setting = `feature gate ${name}=${value}`;
  const { effect } = gates.get(name) ?? {};
  return [
    ...(stage === 'ga' ? [`setting GA ${setting}; it will be removed in a future release`] : []),
    ...(stage === 'deprecated' ? [`setting deprecated ${setting}; it will be removed in a future release`] : []),
    ...(effect === 'always' && value === 'false' ? [`${setting} has no effect: the feature is always on`] : []),
    ...(effect === 'missing' && value === 'true' ? [`${setting} has no effect: this server lacks the feature`] : []),
  ];
}
