import { startControllers } from '../../../src/controllers/manager/start-controllers.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';

/**
 * Starts a server with stand-in nodes, and controllers that have only the rights of their default
 * roles. `errors` has those that controllers were refused with.
 */
export async function startPlane(
  nodes: number,
  options: TestServerOptions = {},
): Promise<TestServer & { readonly errors: readonly string[] }> {
  const server = await startServer({ nodes, authorizationMode: ['RBAC'], ...options });
  const stop = new AbortController();
  const errors: string[] = [];
  const { ended } = startControllers(
    {
      settings: server.connection,
      identifiers: identifiersOf('cluster'),
      options: { 'use-service-account-credentials': true },
      onError: (error) => String(error).includes('forbidden: User') && errors.push(String(error)),
    },
    stop.signal,
  );
  return {
    ...server,
    errors,
    async stop() {
      stop.abort();
      await ended;
      await server.stop();
    },
  };
}
