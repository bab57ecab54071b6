export type { NodeGroup, NodesOption } from '../nodes/agent/node-groups.ts';
export { startServer, type TestServer, type TestServerOptions } from './start-server.ts';
