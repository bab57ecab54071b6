export { ApiError, hasReason } from './api-error.ts';
export type {
  ApiList,
  ApiObject,
  GenericObject,
  ObjectMetadata,
  OwnerReference,
  Status,
  WatchEvent,
} from './api-object.ts';
export type { BackOffOptions } from '../async/back-off.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { ClientConfigError } from '../outbound/client-config.ts';
export type { ConnectionSettings } from '../outbound/connection-settings.ts';
export { type DiscoveredResource, discover, discoverVersion } from './discovery.ts';
export { findResource } from './find-resource.ts';
export { Informer, type InformerHandlers, type InformerOptions } from './informer.ts';
export type { JsonCodec } from './json-codec.ts';
export { type LeaderElectionOptions, type Lease, runLeaderElection } from './leader-election.ts';
export { loadClientConfig } from '../outbound/load-client-config.ts';
export type {
  CallOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  ResourceClient,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from './resource-client.ts';
export type { ResourceReference } from './resource-path.ts';
export type { ImpersonatedUser, Transport, TransportOptions, TransportRequest } from './transport.ts';
