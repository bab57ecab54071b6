export type { BackOffOptions } from '../async/back-off.ts';
export type {
  ApiList,
  ApiObject,
  GenericObject,
  ObjectMetadata,
  OwnerReference,
  PartialObjectMetadata,
  Status,
  WatchEvent,
} from './api-object.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { ClientConfigError } from '../outbound/client-config.ts';
export type {
  ConnectionSettings,
  ExecSettings,
  ImpersonatedUser,
  OidcSettings,
} from '../outbound/connection-settings.ts';
export type { Clock } from './clock.ts';
export {
  type Controller,
  controller,
  type ControllerOptions,
  type ReconcileRequest,
  type ReconcileResult,
} from './controllers/controller.ts';
export { controllerReference } from './controllers/controller-reference.ts';
export { type ObjectName, watched, type WatchedSource } from './controllers/watch-sources.ts';
export { type DiscoveredResource, discover, discoverVersion } from './discovery.ts';
export {
  createEventRecorder,
  type EventDescription,
  type EventRecorder,
  type EventRecorderOptions,
} from './events/event-recorder.ts';
export { findResource } from './find-resource.ts';
export type { Informer, InformerHandlers, Lister, ListerOptions } from './informers/informer.ts';
export {
  createInformerFactory,
  type InformerFactory,
  type InformerFactoryOptions,
  type InformerSelection,
} from './informers/informer-factory.ts';
export type { IndexValues } from './informers/object-store.ts';
export type { JsonCodec } from './json-codec.ts';
export { type LeaderElectionOptions, type Lease, runLeaderElection } from './leader-election.ts';
export type { MetricFamily } from '../metrics/metric-family.ts';
export { createQueueMetrics, type QueueMetrics } from './queue/queue-metrics.ts';
export type { RetryRate } from './queue/retry-delays.ts';
export { type ProcessOptions, WorkQueue, type WorkQueueOptions } from './queue/work-queue.ts';
export { findClientConfig } from '../outbound/find-client-config.ts';
export { type ClientConfigOptions, loadClientConfig } from '../outbound/load-client-config.ts';
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
export type { ResourceReference } from './resource-path.ts';
export { hasReason, StatusError } from './status-error.ts';
export type { Transport, TransportOptions, TransportRequest } from './transport.ts';
