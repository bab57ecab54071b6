import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { extname, join, relative, resolve, sep } from 'node:path';
import { whenAborted } from '../../../async/abort-signals.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import type { proxyFlags } from './flags.ts';
import { createForwarder } from './forward-http.ts';
import { listenOn } from './listen-on.ts';
import { CliError } from '../../cli-error.ts';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

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

/** The parts of a request that decide whether it is forwarded. */
interface FilteredRequest {
  readonly method: string;
  readonly path: string;
  /** The `Host` header. */
  readonly host: string;
}

type FilterOptions = Pick<
  Invocation<typeof proxyFlags>['options'],
  'acceptHosts' | 'acceptPaths' | 'rejectPaths' | 'rejectMethods'
>;

/**
 * Returns the filter of requests that the proxy forwards. Pages of other sites cannot use the
 * proxy, because their requests have another host. Throws CliError for an invalid regular
 * expression.
 */
function requestFilter(options: FilterOptions): (request: FilteredRequest) => boolean {
  const [hosts, paths, rejectedPaths, rejectedMethods] = [
    options.acceptHosts,
    options.acceptPaths,
    options.rejectPaths,
    options.rejectMethods,
  ].map(matcher);
  return ({ method, path: encoded, host }) => {
    const path = decoded(encoded);
    if (path === undefined) return false;
    if (rejectedPaths?.(path) || rejectedMethods?.(method)) return false;
    return Boolean(paths?.(path) && hosts?.(withoutPort(host)));
  };
}

/**
 * The path as the server decodes it: `/pods/a/%65xec` is `/pods/a/exec`. Undefined if it is
 * malformed.
 */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function matcher(patterns: readonly string[]): (text: string) => boolean {
  const expressions = patterns.map((pattern) => {
    try {
      return new RegExp(pattern, 'u');
    } catch (cause) {
      throw new CliError(`"${pattern}" is not a regular expression`, { cause });
    }
  });
  return (text) => expressions.some((expression) => expression.test(text));
}

/** `[::1]:8001` is `[::1]`. */
function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}

/** The content types of web files. */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Sends a file of a folder, or the `index.html` of a sub-folder; 404 for any other path. */
async function serveFile(folder: string, path: string, response: ServerResponse): Promise<void> {
  const file = await fileAt(folder, path);
  if (file === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
    return;
  }
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
  await pipeline(createReadStream(file), response);
}

/**
 * The file of a path; undefined if it does not exist, or is outside of the folder after links are
 * followed.
 */
async function fileAt(folder: string, path: string): Promise<string | undefined> {
  try {
    const root = await realpath(folder);
    const found = await realpath(join(root, resolve('/', decodeURIComponent(path))));
    const file = (await stat(found)).isDirectory() ? await realpath(join(found, 'index.html')) : found;
    const way = relative(root, file);
    if (way === '..' || way.startsWith(`..${sep}`)) return undefined;
    return (await stat(file)).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
