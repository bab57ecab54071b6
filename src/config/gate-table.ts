/** A feature gate of Kubernetes: the releases of its stages, and its effect here. */
export interface FeatureGate {
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
