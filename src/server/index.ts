export { createServer, type Server } from './create-server.ts';
export {
  defaultServerOptions,
  type ServerOptions,
  type StaticToken,
  type StoreOptions,
} from './server-options.ts';
