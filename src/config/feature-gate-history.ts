/**
 * The feature gates of kube-apiserver since release 1.15, one in a line: its name, then its
 * changes. A change is the new stage (`a` alpha, `b` beta, `g` GA, `d` deprecated) and the minor
 * release. `+` or `-` follows if the default is on or off contrary to the custom of the stage, `!`
 * if the gate is locked to its default. `x` is the first release that does not know the gate.
 *
 * It is a text because most of it is never read: a server looks up the gates that it uses.
 */
export const featureGateHistory = `
APIListChunking a8 b9 g29! x33
APIPriorityAndFairness a17 b20 g29! x31
APIResponseCompression a8 b16
APISelfSubjectReview a26 b27 g28! x30
APIServerIdentity a20 b26
APIServerTracing a22 b27 g34!
APIServingWithRoutine a30
AdmissionWebhookMatchConditions a27 b28 g30! x33
AdvancedAuditing a7 b8 g12! x28
AggregatedDiscoveryEndpoint a26 b27 g30! x33
AggregatedDiscoveryRemoveBetaType d33+ d35+!
AllAlpha a20 x21
AllBeta b20- x21
AllowDNSOnlyNodeCSR d31
AllowInsecureBackendProxy b17 g21! x23
AllowInsecureKubeletCertificateSigningRequests d31
AllowOverwriteTerminationGracePeriodSeconds d32 d35!
AllowParsingUserUIDFromCertAuth b33
AllowServiceExternalIPs g36
AllowServiceLBStatusOnNonLB d29 d32! x35
AllowUnsafeMalformedObjectDeletion a32
AnonymousAuthConfigurableEndpoints a31 b32 g34!
AnyVolumeDataSource a18 b24 g33!
AppArmor b4 g31! x33
AppArmorFields b30 g31! x33
AtomicFIFO b36
AttachVolumeLimit g15! x21
AuthorizeNodeWithSelectors a31 b32 g34!
AuthorizePodWebsocketUpgradeCreatePermission b35
AuthorizeWithSelectors a31 b32 g34!
BalanceAttachedNodeVolumes a11 x22
BlockVolume a9 b13 g18! x21
BoundServiceAccountTokenVolume a13 b21 g22! x23
BtreeWatchCache b32 g33!
CBORServingAndStorage a32
CPUManager a8 b10 g26! x33
CPUManagerPolicyAlphaOptions a23
CPUManagerPolicyBetaOptions b23
CPUManagerPolicyOptions a22 b23 g33!
CRDObservedGenerationTracking b35- b36
CRDValidationRatcheting a28 b30 g33!
CRIContainerLogRotation b11 g21! x22
CRIListStreaming a36
CSIBlockVolume a11 b14 g18! x21
CSIDriverRegistry a12 b14 g18! x21
CSIInlineVolume a14 b16 g25! x27
CSIMigration a14 b17 b23- g25! g26-! x27
CSIMigrationAWS a14 b17- b23 g25! x27
CSIMigrationAWSComplete a17 x21
CSIMigrationAzureDisk a15 b19- b23 g24 g25! x27
CSIMigrationAzureDiskComplete a17 x21
CSIMigrationAzureFile a15 b21- b24 g26 g27! x30
CSIMigrationAzureFileComplete a17 x21
CSIMigrationGCE a14 b17- g25! x28
CSIMigrationGCEComplete a17 x21
CSIMigrationOpenStack a14 b18- b21 g24! x26
CSIMigrationOpenStackComplete a17 x21
CSIMigrationPortworx a23 b25- b31 g33! x36
CSIMigrationRBD a24 d28 x31
CSIMigrationvSphere b19- b25 g26 g27! x29
CSIMigrationvSphereComplete b19- x22
CSINodeExpandSecret a25 b27 g29! x31
CSINodeInfo a12 b14 g17! x21
CSIPersistentVolume g15! x16
CSIServiceAccountToken a20 b21 g22! x25
CSIServiceAccountTokenSecrets b35 g36!
CSIStorageCapacity a19 b21 g24! x28
CSIVolumeFSGroupPolicy a19 b20 g23! x25
CSIVolumeHealth a21
CSRDuration b22 g24! x26
ChangeContainerStatusOnKubeletRestart d35
ClearingNominatedNodeNameAfterBinding a34 b35
ClientsAllowCARotation b36
ClientsAllowCBOR a32
ClientsAllowTLSCacheGC b36
ClientsPreferCBOR a32
CloudControllerManagerWatchBasedRoutesReconciliation a35
CloudControllerManagerWebhook a27
CloudDualStackNodeIPs a27 b29 g30! x32
ClusterTrustBundle a27 b33-
ClusterTrustBundleProjection a29 b33-
ComponentFlagz a32 b36
ComponentSLIs a26 b27 g32! x35
ComponentStatusz a32 b36
ConcurrentWatchObjectDecode b31-
ConfigurableFSGroupPolicy a18 b20 g23! x25
ConsistentHTTPGetHandlers g26 g30! x31
ConsistentListFromCache a28 b31 g34!
ConstrainedImpersonation a35 b36
ContainerCheckpoint a25 b30
ContainerRestartRules a34 b35
ContainerStopSignals a33
ContextualLogging a25 b30
ControllerManagerLeaderMigration b22 g24! x27
ControllerManagerReleaseLeaderElectionLockOnExit a36
CoordinatedLeaderElection a31 b33-
CronJobControllerV2 a20 b21 g22! x23
CronJobTimeZone a24 b25 g27! x29
CronJobsScheduledAnnotation b28 g32! x35
CrossNamespaceVolumeDataSource a26
CustomCPUCFSQuotaPeriod a12 g36
CustomPodDNS g15! x16
CustomResourceDefaulting a15 b16 g17! x18
CustomResourceFieldSelectors a30 b31 g32!
CustomResourcePublishOpenAPI a14 b15 g16! x18
CustomResourceSubresources a10 b11 g16! x18
CustomResourceValidation a8 b9 g16! x18
CustomResourceValidationExpressions a23 b25 g29! x31
CustomResourceWebhookConversion a13 b15 g16! x18
DRAAdminAccess a32 b34 g36!
DRAConsumableCapacity a34 b36
DRAControlPlaneController a31 x32
DRADeviceBindingConditions a34 b36
DRADeviceTaintRules a35 b36-
DRADeviceTaints a33 b36
DRAExtendedResource a34 b36
DRAListTypeAttributes a36
DRANodeAllocatableResources a36
DRAPartitionableDevices a33 b36
DRAPrioritizedList a33 b34 g36
DRAResourceClaimDeviceStatus a32 b33
DRAResourceClaimGranularStatusAuthorization b36
DRAResourcePoolStatus a36
DRASchedulerFilterTimeout b34
DRAWorkloadResourceClaims a36
DaemonSetUpdateSurge a21 b22 g25! x27
DeclarativeValidation b33 g36!
DeclarativeValidationBeta b36
DeclarativeValidationTakeover b33- d36
DefaultHostNetworkHostPortsInPodTemplates d28 x31
DefaultIngressClass b18 g19! x20
DefaultPodTopologySpread a19 b20 g24! x26
DelegateFSGroupToCSIDriver a22 b23 g26! x28
DeploymentReplicaSetTerminatingReplicas a33 b35
DetectCacheInconsistency b34
DevicePluginCDIDevices a28 b29 g31! x34
DevicePlugins b10 g26! x28
DisableAcceleratorUsageMetrics a19 b20 g25! x28
DisableAllocatorDualWrite a31 b33- g34 g35!
DisableCPUQuotaWithExclusiveCPUs b33 d36+
DisableCSIVolumePlugin a31 x33
DisableCloudProviders a22 b29 g31! x33
DisableKubeletCloudCredentialProviders a23 b29 g31! x33
DisableNodeKubeProxyVersion a29 d31 d33+ d36+!
DownwardAPIHugePages a20 b21- b23 g27! x29
DryRun a12 b13 g19! x28
DynamicAuditing a13 x19
DynamicKubeletConfig a4 b11 d22 x26
DynamicResourceAllocation a26 b32- g34 g35!
EfficientWatchResumption a20 b21 g24! x33
ElasticIndexedJob b27 g31! x34
EndpointSlice a16 b17- b18 g21! x25
EndpointSliceNodeName a20 g21! x25
EndpointSliceProxying a18 b19 g22! x25
EndpointSliceTerminatingCondition a20 b22 g26! x28
EnvFiles a34 b35
EphemeralContainers a16 b23 g25! x27
EvenPodsSpread a16 b18 g19! x21
EventedPLEG a26
ExecProbeTimeout g20!
ExpandCSIVolumes a14 b16 g24 x27
ExpandInUsePersistentVolumes b15 g24 x27
ExpandPersistentVolumes b11 g24 x27
ExpandedDNSConfig a22 b26 g28! x30
ExperimentalHostUserNamespaceDefaulting a5 b17- d28! x30
ExtendWebSocketsToKubelet b36
ExternalPolicyForExternalIP g18-! g19! x22
ExternalServiceAccountTokenSigner a32 b34 g36!
GCERegionalPersistentDisk g15! x16
GRPCContainerProbe a23 b24 g27! x29
GangScheduling a35
GenericEphemeralVolume a19 b21 g23! x25
GenericWorkload a35
GitRepoVolumeDriver d33 d36!
GracefulNodeShutdown a20 b21
GracefulNodeShutdownBasedOnPodPriority a23 b24
HPAConfigurableTolerance a33 b35
HPAContainerMetrics a20 b27 g30! x32
HPAScaleToZero a16
HonorPVReclaimPolicy a23 b31 g33! x36
HostnameOverride a34 b35
HugePageStorageMediumSize a18 b19 g22! x24
HugePages g15! x16
HyperVContainer a10 g20! x21
IPTablesOwnershipCleanup a25 b27 g28! x30
IPv6DualStack a15 b21 g23! x27
IdentifyPodOS a23 b24 g25! x27
ImageMaximumGCAge a29 b30 g35!
ImageVolume a31 b33- b35 g36!
ImageVolumeWithDigest a36
ImmutableEphemeralVolumes a18 b19 g21! x24
InOrderInformers b33 g36!
InOrderInformersBatchProcess b35
InPlacePodLevelResourcesVerticalScaling a35 b36
InPlacePodVerticalScaling a27 b33 g35!
InPlacePodVerticalScalingAllocatedStatus a32 d33 x36
InPlacePodVerticalScalingExclusiveCPUs a32
InPlacePodVerticalScalingExclusiveMemory a34
InPlacePodVerticalScalingInitContainers b36
InTreePluginAWSUnregister a21 x31
InTreePluginAzureDiskUnregister a21 x31
InTreePluginAzureFileUnregister a21 x31
InTreePluginGCEUnregister a21 x31
InTreePluginOpenStackUnregister a21 x31
InTreePluginPortworxUnregister a23 x36
InTreePluginRBDUnregister a23 d28 x31
InTreePluginvSphereUnregister a21 x31
IndexedJob a21 b22 g24! x26
InformerResourceVersion a30 g35
IngressClassNamespacedParams a21 b22 g23! x25
JobBackoffLimitPerIndex a28 b29 g33!
JobManagedBy a30 b32 g35!
JobMutableNodeSchedulingDirectives b23 g27! x29
JobPodFailurePolicy a25 b26 g31! x33
JobPodReplacementPolicy a28 b29 g34!
JobReadyPods a23 b24 g29! x31
JobSuccessPolicy a30 b31 g33!
JobTrackingWithFinalizers a22 b23- b25 g26! x29
KMSv1 d28+ d29
KMSv2 a25 b27 g29! x32
KMSv2KDF b28- g29! x32
KubeProxyDrainingTerminatingNodes a28 b30 g31! x33
KubeletCgroupDriverFromCRI a28 b31 g34!
KubeletCrashLoopBackOffMax a32 b35
KubeletCredentialProviders a20 b24 g26! x28
KubeletEnsureSecretPulledImages a33 b35
KubeletFineGrainedAuthz a32 b33 g36!
KubeletInUserNamespace a22
KubeletPSI a33 b34 g36!
KubeletPluginsWatcher g15! x16
KubeletPodResources a13 b15 g28! x30 a31 x33
KubeletPodResourcesDynamicResources a27 b34 g36!
KubeletPodResourcesGet a27 b34 g36!
KubeletPodResourcesGetAllocatable a21 b23 g28! x30
KubeletPodResourcesListUseActivePods d34+
KubeletRegistrationGetOnExistsOnly d32
KubeletSeparateDiskGC a29 b31
KubeletServiceAccountTokenForCredentialProviders a33 b34
KubeletTracing a25 b27 g34!
LegacyNodeRoleBehavior a16+ b19 g21-! x22
LegacyServiceAccountTokenCleanUp a28 b29 g30! x32
LegacyServiceAccountTokenNoAutoGeneration b24 g26 g27! x29
LegacyServiceAccountTokenTracking a26 b27 g28! x30
LegacySidecarContainers d33 x34
ListFromCacheSnapshot a33 b34
LoadBalancerIPMode a29 b30 g32! x35
LocalStorageCapacityIsolation b10 g25! x27
LocalStorageCapacityIsolationFSQuotaMonitoring a15 b31-
LogarithmicScaleDown a21 b22 g31!
LoggingAlphaOptions a25
LoggingBetaOptions b25
ManifestBasedAdmissionControlConfig a36
MatchLabelKeysInPodAffinity a29 b31 g33!
MatchLabelKeysInPodTopologySpread a25 b27
MatchLabelKeysInPodTopologySpreadSelectorMerge b34
MaxUnavailableStatefulSet a24 b35-
MemoryManager a21 b22 g32! x36
MemoryQoS a22
MinDomainsInPodTopologySpread a24 b25- b27 g30! x32
MinimizeIPTablesRestore a26 b27 g28! x30
MixedProtocolLBService a20 b24 g26! x28
MountPropagation g15! x16
MultiCIDRRangeAllocator a25 x29
MultiCIDRServiceAllocator a27 b31- g33 g34!
MutableCSINodeAllocatableCount a33 b34- b35 g36!
MutablePVNodeAffinity a35
MutablePodResourcesForSuspendedJobs a35 b36
MutableSchedulingDirectivesForSuspendedJobs a35 b36
MutatingAdmissionPolicy a30 b34- g36
NFTablesProxyMode a29 b31 g33!
NamespaceDefaultLabelName b21 g22! x24
NativeHistograms a36
NetworkPolicyEndPort a21 b22 g25! x27
NetworkPolicyStatus a24 x28
NewVolumeManagerReconstruction b27- b28 g30! x32
NodeDeclaredFeatures a35 b36
NodeDisruptionExclusion a16 b19 g21! x22
NodeInclusionPolicyInPodTopologySpread a25 b26 g33!
NodeLease a12 b14 g17! x23
NodeLogQuery a27 b30- b33 g36!
NodeOutOfServiceVolumeDetach a24 b26 g28! x32
NodeSwap a22 b28- b30 g34!
NominatedNodeNameForExpectation a34 b35
NonPreemptingPriority a15 b19 g24! x26
OpenAPIEnums a23 b24
OpenAPIV3 a23 b24 g27! x29
OpportunisticBatching b35
OrderedNamespaceDeletion b31- b33 g34!
PDBUnhealthyPodEvictionPolicy a26 b27 g31! x33
PLEGOnDemandRelist b36
PersistentLocalVolumes g15! x16
PersistentVolumeClaimUnusedSinceTime a36
PersistentVolumeLastPhaseTransitionTime a28 b29 g31! x33
PodAffinityNamespaceSelector a21 b22 g24! x26
PodAndContainerStatsFromCRI a23
PodCertificateRequest a34 b35-
PodDeletionCost a21 b22
PodDisruptionBudget a3 b5 g21! x25
PodDisruptionConditions a25 b26 g31! x34
PodHasNetworkCondition a25 x28
PodHostIPs a28 b29 g30! x32
PodIndexLabel b28 g32! x35
PodLevelResourceManagers a36
PodLevelResources a32 b34
PodLifecycleSleepAction a29 b30 g34!
PodLifecycleSleepActionAllowZero a32 b33 g34!
PodLogsQuerySplitStreams a32
PodObservedGenerationTracking a33 b34 g35!
PodOverhead a16 b18 g24! x26
PodPriority a8 b11 g14! x18
PodReadinessGates g15! x16
PodReadyToStartContainersCondition a28 b29
PodSchedulingReadiness a26 b27 g30!
PodSecurity a22 b23 g25! x28
PodShareProcessNamespace a10 b12 g17! x19
PodTopologyLabelsAdmission a33 b35
PodsAPI a36
PortForwardWebsockets a30 b31
PreferNominatedNode a21 b22 g24! x26
PreferSameTrafficDistribution a33 b34 g35!
PreventStaticPodAPIReferences b34
ProbeHostPodSecurityStandards g34! x35
ProbeTerminationGracePeriod a21 b22- b25 g28! x29
ProcMountType a12 b31- b33 g36!
ProxyTerminatingEndpoints a22 b26 g28! x30
QOSReserved a11
ReadWriteOncePod a22 b27 g29! x31
RecoverVolumeExpansionFailure a23 b32 g34!
RecursiveReadOnlyMounts a30 b31 g33!
ReduceDefaultCrashLoopBackOffDecay a33
RelaxedDNSSearchValidation a32 b33 g34!
RelaxedEnvironmentVariableValidation a30 b32 g34!
RelaxedServiceNameValidation a34 b36
ReloadKubeletClientCAFile b36
ReloadKubeletServerCertificateFile b31
RemainingItemCount a15 b16 g29! x33
RemoteRequestHeaderUID a32 b33
RemoveSelfLink a16 b20 g24! x30
ResilientWatchCacheInitialization b31 g34!
ResourceHealthStatus a31 b36
ResourceHealthStatusMessage b36
ResourceLimitsPriorityFunction a9 x19
ResourceQuotaScopeSelectors b12 g17! x18
RestartAllContainersOnContainerExits a35 b36
RetroactiveDefaultStorageClass a25 b26 g28! x29
RetryGenerateName a30 b31 g32!
RootCAConfigMap b20 g21! x22
RotateKubeletClientCertificate b8 g19! x21
RotateKubeletServerCertificate a7 b12
RunAsGroup b14 g21! x22
RuntimeClass a12 b14 g20! x24
RuntimeClassInImageCriApi a29
SCTPSupport a12 b19 g20! x22
SELinuxChangePolicy a32 b33 g36!
SELinuxMount a30 b33-
SELinuxMountReadWriteOncePod a25 b27- b28 g36!
ScheduleDaemonSetPods b12 g17! x18
SchedulerAsyncAPICalls b34-
SchedulerAsyncPreemption a32 b33
SchedulerPopFromBackoffQ b33
SchedulerQueueingHints b28- b32 g34!
SeccompDefault a22 b25 g27! x29
SecurityContextDeny a27 x30
SelectorIndex a18 b19 g20! x25
SeparateCacheWatchRPC b28 d33 d36!
SeparateTaintEvictionController b29 g34!
ServerSideApply a14 b16 g22! x32
ServerSideFieldValidation a23 b25 g27! x32
ServiceAccountIssuerDiscovery a18 b20 g21! x23
ServiceAccountNodeAudienceRestriction b32- b33
ServiceAccountTokenJTI a29 b30 g32!
ServiceAccountTokenNodeBinding a29 b31 g33!
ServiceAccountTokenNodeBindingValidation a29 b30 g32!
ServiceAccountTokenPodNodeInfo a29 b30 g32!
ServiceAppProtocol a18 b19 g20! x22
ServiceCIDRStatusFieldWiping d36+
ServiceIPStaticSubrange a24 b25 g26! x28
ServiceInternalTrafficPolicy a21 b22 g26! x28
ServiceLBNodePortControl a20 b22 g24! x26
ServiceLoadBalancerClass a21 b22 g24! x26
ServiceLoadBalancerFinalizer a15 b16 g17! x20
ServiceNodeExclusion a9 b19 g21! x22
ServiceNodePortStaticSubrange a27 b28 g29! x31
ServiceTopology a17 x22
ServiceTrafficDistribution a30 b31 g33! x36
SetHostnameAsFQDN a19 b20 g22! x24
ShardedListAndWatch a36
SidecarContainers a28 b29 g33!
SizeBasedListCostEstimate b34
SizeMemoryBackedVolumes a20 b22 g32! x35
SkipReadOnlyValidationGCE a28 d29+ x31
StableLoadBalancerNodeSet b27 g30! x32
StaleControllerConsistencyDaemonSet b36
StaleControllerConsistencyJob b36
StaleControllerConsistencyReplicaSet b36
StaleControllerConsistencyStatefulSet b36
StartupProbe a16 b18 g20! x23
StatefulSetAutoDeletePVC a23 b27 g32! x35
StatefulSetMinReadySeconds a22 b23 g25! x27
StatefulSetSemanticRevisionComparison b34
StatefulSetStartOrdinal a26 b27 g31! x34
StorageCapacityScoring a33
StorageNamespaceIndex b30 d33+
StorageObjectInUseProtection g11! x25
StorageVersionAPI a20
StorageVersionHash a14 b15
StorageVersionMigrator a30 b35-
StreamingCollectionEncodingToJSON b33 g34!
StreamingCollectionEncodingToProtobuf b33 g34!
StreamingProxyRedirects a5 b5 d18+ d22 x24
StrictCostEnforcementForVAP b30- g32! x35
StrictCostEnforcementForWebhooks b30- g32! x35
StrictIPCIDRValidation a33 b36
StructuredAuthenticationConfiguration a29 b30 g34!
StructuredAuthenticationConfigurationEgressSelector b34
StructuredAuthenticationConfigurationJWKSMetrics b35
StructuredAuthorizationConfiguration a29 b30 g32! x36
SupplementalGroupsPolicy a31 b33 g35!
SupportIPVSProxyMode g11! x20
SupportNodePidsLimit b15 g20! x23
SupportPodPidsLimit a10 b14 g20! x23
SuspendJob a21 b22 g24! x26
Sysctls b11 g21! x23
SystemdWatchdog b32 g35!
TTLAfterFinished a12 b21 g23! x25
TaintBasedEvictions b13 g18! x20
TaintNodesByCondition b12 g17! x18
TaintTolerationComparisonOperators a35
TokenRequest a10 b12 g20! x21
TokenRequestProjection b12 g20! x21
TokenRequestServiceAccountUIDValidation b34
TopologyAwareHints a21 b23- b24 g33! x36
TopologyAwareWorkloadScheduling a36
TopologyManager a16 b18 g27! x29
TopologyManagerPolicyAlphaOptions a26
TopologyManagerPolicyBetaOptions b26- b28
TopologyManagerPolicyOptions a26 b28 g32 g36!
TranslateStreamCloseWebsocketRequests a29 b30
UnauthenticatedHTTP2DOSMitigation b25- b29
UnknownVersionInteroperabilityProxy a28 b36
UnlockWhileProcessingFIFO b36
UserNamespacesHostNetworkSupport a35
UserNamespacesPodSecurityStandards a29 x35
UserNamespacesStatelessPodsSupport a25 x28
UserNamespacesSupport a28 b30- b33 g36!
ValidateProxyRedirects a10 b14 d22+ x24
ValidatingAdmissionPolicy a26 b28- g30! x32
VolumeAttributesClass a29 b31- g34 g36!
VolumeCapacityPriority a21 x33
VolumeLimitScaling a35
VolumePVCDataSource a15 b16 g18! x21
VolumeScheduling g15! x16
VolumeSnapshotDataSource a12 b17 g20! x22
VolumeSubpath g15! x25
VolumeSubpathEnvExpansion a14 b15 g17! x19
WarningHeaders b19 g22! x24
WatchBookmark a15 b16 g17! x33
WatchCacheInitializationPostStartHook b31- b36
WatchFromStorageWithoutResourceVersion b27- d33! x36
WatchList a27 b32 b33- b34
WatchListClient b30- b35
WinDSR a14 b33 g34!
WinOverlay a14 b20 g34!
WindowsCPUAndMemoryAffinity a32
WindowsEndpointSliceProxying a19 b21 g22! x25
WindowsGMSA a14 b16 g18! x21
WindowsGracefulNodeShutdown a32 b34
WindowsHostNetwork a26+ d33
WindowsHostProcessContainers a22 b23 g26! x28
WindowsRunAsUserName a16 b17 g18! x21
WorkloadAwarePreemption a36
WorkloadWithJob a36
ZeroLimitedNominalConcurrencyShares b29- g30! x32
csiMigrationRBD a23 x24
`;
