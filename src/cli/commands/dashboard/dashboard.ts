import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerWithFile, readDashboardFiles } from '../../../api/dashboard/dashboard-files.ts';
import { whenAborted } from '../../../async/abort-signals.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { createForwarder } from '../pods/forward-http.ts';
import { listenOn } from '../pods/listen-on.ts';
import type { dashboardFlags } from './flags.ts';
import { openBrowser } from './open-browser.ts';
import { createPageGuard } from './page-guard.ts';

/** Paths whose responses come from programs in pods, which must not act in the page's origin. */
const foreignPaths = /\/(?:pods|services|nodes)\/[^/]+\/proxy(?:\/|$)/;

/** Headers of each forwarded response: opened as a page, it has no scripts and no origin. */
const harmless: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
};

/** `cl dashboard`: serves the dashboard on this machine with the credentials of the user. */
export async function dashboard({ options, io }: Invocation<typeof dashboardFlags>): Promise<void> {
  const files = readDashboardFiles();
  await withClient({ options, io }, async ({ settings }) => {
    const forwarder = createForwarder(settings);
    const server = createServer();
    try {
      await listenOn(server, { address: '127.0.0.1', port: options.port });
      // A listening TCP server has such an address.
      const guard = createPageGuard((server.address() as AddressInfo).port);
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        const verdict = guard.judge(request);
        if ('status' in verdict) refuse(response, verdict.status, verdict.reason);
        else if ('cookie' in verdict) signIn(response, verdict.cookie);
        else serve(request, response).catch(() => refuse(response, 502, 'The server cannot be reached.'));
      });
      io.stdout.write(`Open this link, which works once: ${guard.link}\n`);
      if (options.open) {
        await openBrowser(guard.link).catch(() => io.stderr.write('no program opens a browser here: open the link\n'));
      }
      await whenAborted(io.signal);
    } finally {
      server.closeAllConnections();
      server.close();
      forwarder.close();
    }
    io.signal.throwIfAborted();

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { method, url = '', headers } = request;
      const path = url.replace(/\?.*$/s, '');
      if (path === '/') return void response.writeHead(302, { Location: '/dashboard' }).end();
      const file = files.get(path);
      if (!file) {
        const decoded = decodedPath(path);
        if (decoded === undefined || foreignPaths.test(decoded)) return refuse(response, 403, 'No path of this page.');
        // The user is the one of the client config, and the cookie is for this server alone.
        delete headers.cookie;
        delete headers.authorization;
        for (const [name, value] of Object.entries(harmless)) response.setHeader(name, value);
        return await forwarder.forward(request, url, response);
      }
      if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Files are only read.');
      const asked = { ifNoneMatch: headers['if-none-match'], acceptEncoding: acceptedBy(request) };
      const answer = answerWithFile(file, asked);
      const own = { 'Content-Type': file.contentType, 'Cache-Control': 'no-cache', ...answer.headers };
      response.writeHead(answer.status, own).end(answer.body);
    }
  });
}

function acceptedBy({ headers }: IncomingMessage): string | undefined {
  return [headers['accept-encoding'] ?? ''].flat().join();
}

/** The path as the server reads it; undefined if it cannot be decoded. */
function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The page leads on without a redirect: one from another site would come without the cookie. */
function signIn(response: ServerResponse, cookie: string): void {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Set-Cookie': cookie,
  });
  response.end('<!doctype html><title>Dashboard</title><meta http-equiv="refresh" content="0; url=/dashboard">\n');
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${reason}\n`);
}
