export type { BackOffOptions } from '../async/timers.ts';
export {
  controllerReference,
  type ApiList,
  type ApiObject,
  type DeepPartial,
  type GenericObject,
  isStatus,
  type ObjectMetadata,
  type OwnerReference,
  type PartialObjectMetadata,
  type Status,
  type SubresourceObject,
  type WatchEvent,
} from './api-object.ts';
export { type BriefConnectionsOptions, createBriefConnections } from './brief-connections.ts';
export { builtInResources, type BuiltInResources } from './built-in-resources.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { ClientConfigError } from '../outbound/config/client-config.ts';
export type {
  ConnectionSettings,
  ExecSettings,
  ImpersonatedUser,
  OidcSettings,
} from '../outbound/config/connection-settings.ts';
export type { Clock } from './clock.ts';
export type { Connections } from './connections.ts';
export {
  type Controller,
  controller,
  type ControllerOptions,
  type ReconcileRequest,
  type ReconcileResult,
} from './controllers/controller.ts';
export { type ObjectName, watched, type WatchedSource } from './controllers/watch-sources.ts';
export { type DiscoveredResource, discover, discoverAll, type Discovery, discoverVersion } from './discovery.ts';
export {
  createEventRecorder,
  type EventDescription,
  type EventRecorder,
  type EventRecorderOptions,
} from './events/event-recorder.ts';
export { discoverCached, type DiscoveryCacheOptions } from './discovery-cache.ts';
export { findResource } from './find-resource.ts';
export type { Informer, InformerHandlers, Lister, ListerOptions } from './informers/informer.ts';
export {
  createInformerFactory,
  type InformerFactory,
  type InformerFactoryOptions,
  type InformerSelection,
} from './informers/informer-factory.ts';
export { createInformerMetrics, type InformerMetrics } from './informers/informer-metrics.ts';
export type { IndexValues } from './informers/indexer.ts';
export type { JsonCodec } from './runtime-json.ts';
export { type LeaderElectionOptions, type Lease, runLeaderElection } from './leader-election.ts';
export type { MetricFamily } from '../metrics/metric-family.ts';
export { createQueueMetrics, type QueueMetrics } from './queue/queue-metrics.ts';
export type { RetryRate } from './queue/retry-delays.ts';
export { type ProcessOptions, WorkQueue, type WorkQueueOptions } from './queue/work-queue.ts';
export { findClientConfig } from '../outbound/config/find-client-config.ts';
export { type ClientConfigOptions, loadClientConfig, readClientConfig } from '../outbound/config/load-client-config.ts';
export type { ResourceClient } from './resource-client.ts';
export type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from './resource-options.ts';
export { createResourceMapper, type ResourceMapper, type ResourceMapperOptions } from './resource-mapper.ts';
export type { ResourceReference } from './resource-path.ts';
export { hasReason, StatusError } from './error-of-response.ts';
export { connectToPort } from './streams/connect-to-port.ts';
export { type LogOptions, readLogs } from './streams/read-logs.ts';
export {
  attachToPod,
  execInPod,
  type ProgramOptions,
  type ProgramStreams,
  type TerminalSize,
} from './streams/run-in-pod.ts';
export type { TraceRequest, Transport, TransportOptions, TransportRequest, UpgradedConnection } from './transport.ts';
export type * as admissionv1 from '../gen/types/admission-v1.ts';
export type * as admissionregistrationv1 from '../gen/types/admissionregistration-v1.ts';
export type * as apiextensionsv1 from '../gen/types/apiextensions-v1.ts';
export type * as apiregistrationv1 from '../gen/types/apiregistration-v1.ts';
export type * as appsv1 from '../gen/types/apps-v1.ts';
export type * as authenticationv1 from '../gen/types/authentication-v1.ts';
export type * as authorizationv1 from '../gen/types/authorization-v1.ts';
export type * as autoscalingv1 from '../gen/types/autoscaling-v1.ts';
export type * as autoscalingv2 from '../gen/types/autoscaling-v2.ts';
export type * as batchv1 from '../gen/types/batch-v1.ts';
export type * as certificatesv1 from '../gen/types/certificates-v1.ts';
export type * as certificatesv1beta1 from '../gen/types/certificates-v1beta1.ts';
export type * as coordinationv1 from '../gen/types/coordination-v1.ts';
export type * as coordinationv1beta1 from '../gen/types/coordination-v1beta1.ts';
export type * as corev1 from '../gen/types/core-v1.ts';
export type * as discoveryv1 from '../gen/types/discovery-v1.ts';
export type * as eventsv1 from '../gen/types/events-v1.ts';
export type * as flowcontrolv1 from '../gen/types/flowcontrol-v1.ts';
export type * as flowcontrolv1beta2 from '../gen/types/flowcontrol-v1beta2.ts';
export type * as imagepolicyv1alpha1 from '../gen/types/imagepolicy-v1alpha1.ts';
export type * as internalapiserverv1alpha1 from '../gen/types/internal-apiserver-v1alpha1.ts';
export type * as intstrv1 from '../gen/types/intstr-v1.ts';
export type * as metav1 from '../gen/types/meta-v1.ts';
export type * as networkingv1 from '../gen/types/networking-v1.ts';
export type * as nodev1 from '../gen/types/node-v1.ts';
export type * as policyv1 from '../gen/types/policy-v1.ts';
export type * as policyv1beta1 from '../gen/types/policy-v1beta1.ts';
export type * as quantityv1 from '../gen/types/quantity-v1.ts';
export type * as rbacv1 from '../gen/types/rbac-authorization-v1.ts';
export type * as resourcev1 from '../gen/types/resource-v1.ts';
export type * as resourcev1alpha3 from '../gen/types/resource-v1alpha3.ts';
export type * as resourcev1beta2 from '../gen/types/resource-v1beta2.ts';
export type * as runtimev1 from '../gen/types/runtime-v1.ts';
export type * as schedulingv1 from '../gen/types/scheduling-v1.ts';
export type * as schedulingv1alpha2 from '../gen/types/scheduling-v1alpha2.ts';
export type * as schedulingv1alpha3 from '../gen/types/scheduling-v1alpha3.ts';
export type * as storagemigrationv1beta1 from '../gen/types/storagemigration-v1beta1.ts';
export type * as storagev1 from '../gen/types/storage-v1.ts';
export { type ClusterInfoOptions, verifyClusterInfo } from './verify-cluster-info.ts';
