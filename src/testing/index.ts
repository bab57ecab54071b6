export { startServer, type TestServer, type TestServerOptions } from './start-server.ts';
