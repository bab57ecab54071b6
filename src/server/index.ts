export type { MutableCatalogue } from '../registry/definition/live-catalogue.ts';
export type { ResourceDefinition } from '../registry/definition/resource-definition.ts';
export { MemoryStore } from '../storage/memory/memory-store.ts';
export type * from '../storage/port/object-store.ts';
export { createServer, type Server } from './create-server.ts';
export { serveObjectStore } from './serve-object-store.ts';
export type { ConfiguredMode, WebhookMode } from '../config/flags/authorization-options.ts';
export {
  defaultServerOptions,
  type GivenServerOptions,
  type ServerOptions,
  type StaticToken,
} from '../config/server-options.ts';
export type { StoreOptions } from '../config/flags/store-options.ts';
