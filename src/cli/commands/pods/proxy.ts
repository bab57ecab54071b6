import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { whenAborted } from '../../../async/abort-signals.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import type { proxyFlags } from './flags.ts';
import { createForwarder } from './forward-http.ts';
import { listenOn } from './listen-on.ts';
import { requestFilter } from './proxy-filter.ts';
import { serveFile } from './serve-files.ts';

type Proxy = Invocation<typeof proxyFlags>;

/** `cl proxy`: serves the API on this machine with the credentials of the user. */
export async function proxy({ options, io }: Proxy): Promise<void> {
  if (options.disableFilter) {
    const line = 'Request filter disabled, your proxy is vulnerable to XSRF attacks, please be cautious';
    io.stderr.write(`${line}\n`);
  }
  const isAccepted = options.disableFilter ? () => true : requestFilter(options);
  await withClient({ options, io }, async ({ settings }) => {
    const forwarder = createForwarder(settings);
    const routes = { options, directory: io.directory };
    const server = createServer((request, response) => {
      const path = isAccepted(partsOf(request)) ? routeOf(request, routes) : { status: 403 };
      serve(path, response, (to) => forwarder.forward(request, to, response)).catch(() => refuse(response, 502));
    });
    if (options.keepalive > 0) server.on('connection', (socket) => socket.setKeepAlive(true, options.keepalive));
    server.on('upgrade', (request: IncomingMessage, socket, head: Buffer) => {
      socket.on('error', () => {});
      const { api } = isAccepted(partsOf(request)) ? routeOf(request, routes) : {};
      if (api === undefined) socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      else forwarder.upgrade(request, api, socket, head).catch(() => socket.destroy());
    });
    try {
      io.stdout.write(`Starting to serve on ${await listen(server, options, io.directory)}\n`);
      await whenAborted(io.signal);
    } finally {
      server.closeAllConnections();
      server.close();
      forwarder.close();
    }
    io.signal.throwIfAborted();
  });
}

function partsOf({ method = '', url = '', headers: { host = '' } }: IncomingMessage) {
  return { method, path: url.replace(/\?.*$/s, ''), host };
}

/** The part that serves a request: the path of the API, a file, or a status alone. */
interface Route {
  readonly api?: string;
  readonly file?: { readonly folder: string; readonly path: string };
  readonly status?: number;
}

interface Routes {
  readonly options: Proxy['options'];
  readonly directory: string;
}

function routeOf({ url = '' }: IncomingMessage, { options, directory }: Routes): Route {
  const { www, wwwPrefix, apiPrefix } = options;
  const [files, api] = [wwwPrefix, apiPrefix].map(withSlashes);
  if (www !== undefined && files !== undefined && url.startsWith(files)) {
    return { file: { folder: resolve(directory, www), path: url.slice(files.length).replace(/[?#].*$/s, '') } };
  }
  if (api === undefined || !url.startsWith(api)) return { status: 404 };
  return { api: `/${url.slice(api.length)}` };
}

/** `k8s` is `/k8s/`. */
function withSlashes(prefix: string): string {
  return `/${prefix}/`.replaceAll(/\/{2,}/g, '/');
}

async function serve(
  { api, file, status = 404 }: Route,
  response: ServerResponse,
  forward: (path: string) => Promise<void>,
): Promise<void> {
  if (api !== undefined) await forward(api);
  else if (file) await serveFile(file.folder, file.path, response);
  else refuse(response, status);
}

const texts: Readonly<Record<number, string>> = { 403: 'Forbidden', 404: '404 page not found', 502: 'Bad Gateway' };

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${texts[status] ?? ''}\n`);
}

/** Listens; returns the address. */
async function listen(
  server: Server,
  { unixSocket, address, port }: Proxy['options'],
  directory: string,
): Promise<string> {
  if (unixSocket !== undefined) {
    await listenOn(server, { socket: resolve(directory, unixSocket) });
    return unixSocket;
  }
  await listenOn(server, { address, port });
  // A listening TCP server has such an address.
  const bound = server.address() as AddressInfo;
  return isIP(bound.address) === 6 ? `[${bound.address}]:${bound.port}` : `${bound.address}:${bound.port}`;
}
