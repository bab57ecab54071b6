import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { textFormat } from '../../metrics/exposition-format.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';

/** The health endpoints of a program. */
export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

/** The address of the health endpoints; `tls` makes it HTTPS. */
interface HealthAddress {
  readonly host: string;
  readonly port: number;
  /** Sets SO_REUSEPORT. */
  readonly reusePort?: boolean;
  readonly tls?: SecureContextOptions | undefined;
}

const limits = { requestTimeout: 5000, headersTimeout: 5000 };

const paths = new Set(['/healthz', '/livez', '/readyz']);

/**
 * Serves `ok` on `/healthz`, `/livez` and `/readyz`, and metrics on `/metrics`, without
 * credentials: the responses are not secret.
 */
export async function startHealthServer(
  { host, port, reusePort = false, tls }: HealthAddress,
  metrics: MetricsRegistry,
): Promise<HealthServer> {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (path === '/metrics') void sendMetrics(metrics, response);
    else if (paths.has(path)) sendText(response, 200, 'ok');
    else sendText(response, 404, 'not found\n');
  };
  const server = tls ? createTlsServer({ ...limits, ...tls }, handle) : createServer(limits, handle);
  server.listen({ host, port, reusePort });
  await once(server, 'listening');
  const bound = server.address();
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function sendMetrics(metrics: MetricsRegistry, response: ServerResponse): Promise<void> {
  try {
    const body = await metrics.encode(textFormat);
    response.writeHead(200, { 'content-type': textFormat.mediaType, 'cache-control': 'no-cache, private' });
    response.end(body);
  } catch (error) {
    sendText(response, 500, `${error instanceof Error ? error.message : String(error)}\n`);
  }
}

function sendText(response: ServerResponse, code: number, body: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache, private' });
  response.end(body);
}
