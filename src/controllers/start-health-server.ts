import { once } from 'node:events';
import { createServer } from 'node:http';

/** The health endpoints of a program. */
export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

const paths = new Set(['/healthz', '/livez', '/readyz']);

/**
 * Serves `ok` on `/healthz`, `/livez` and `/readyz` over plain HTTP, because the response is not
 * secret.
 */
export async function startHealthServer(bindAddress: string, port: number): Promise<HealthServer> {
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
    const known = paths.has((request.url ?? '').split('?')[0] ?? '');
    response.writeHead(known ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-cache, private',
    });
    response.end(known ? 'ok' : 'not found\n');
  });
  server.listen(port, bindAddress);
  await once(server, 'listening');
  const bound = server.address();
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    url: `http://${bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress}:${boundPort}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
