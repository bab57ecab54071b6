import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerWithFile, type readDashboardFiles } from '../../../api/dashboard/dashboard-files.ts';
import type { createForwarder } from '../pods/forward-http.ts';
import type { createPageGuard } from './page-guard.ts';

/** The path at which the page ends its session. */
const signOutPath = '/dashboard/sign-out';

/** Paths whose responses come from programs in pods, which must not act in the page's origin. */
const proxyPaths = /\/(?:pods|services|nodes)\/[^/]+\/proxy(?:\/|$)/;

/** Headers of each forwarded response: opened as a page, it has no scripts and no origin. */
const harmless: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Headers with which a server behind the API server could act on the session or lead away. */
const removed: ReadonlySet<string> = new Set([
  'clear-site-data',
  'cross-origin-resource-policy',
  'link',
  'location',
  'refresh',
  'set-cookie',
  'x-content-type-options',
]);

interface Page {
  readonly files: ReturnType<typeof readDashboardFiles>;
  readonly forwarder: Pick<ReturnType<typeof createForwarder>, 'forward'>;
  readonly guard: Pick<ReturnType<typeof createPageGuard>, 'judge' | 'signOut'>;
  /** Called when the browser has signed out and there is a new link. */
  readonly onSignedOut: () => void;
}

/** Creates the handler of the requests of a browser: files, and requests that are forwarded. */
export function servePage({ files, forwarder, guard, onSignedOut }: Page) {
  const open = new Set<ServerResponse>();

  function signOut(response: ServerResponse): void {
    response.writeHead(204, { 'Set-Cookie': guard.signOut(), 'Cache-Control': 'no-store' }).end();
    // The watches of the session end with it.
    for (const each of open) each.destroy();
    onSignedOut();
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request;
    const path = url.replace(/\?.*$/s, '');
    if (path === '/') return void response.writeHead(302, { Location: '/dashboard' }).end();
    const file = files.get(path);
    if (!file) {
      const decoded = decodedPath(path);
      if (decoded === undefined || proxyPaths.test(decoded)) return refuse(response, 403, 'No path of this page.');
      // The user is the one of the client config, and the cookie is for this server alone.
      delete headers.cookie;
      delete headers.authorization;
      return await forwarder.forward(request, url, response, withHarmless);
    }
    if (method !== 'GET' && method !== 'HEAD') return refuse(response, 405, 'Files are only read.');
    const asked = { ifNoneMatch: headers['if-none-match'], acceptEncoding: acceptedBy(request) };
    const answer = answerWithFile(file, asked);
    const own = {
      'Content-Type': file.contentType,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...answer.headers,
    };
    response.writeHead(answer.status, own).end(answer.body);
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    const verdict = guard.judge(request);
    if ('status' in verdict) return refuse(response, verdict.status, verdict.reason);
    if ('cookie' in verdict) return signIn(response, verdict.cookie);
    if (request.url === signOutPath && request.method === 'POST') return signOut(response);
    open.add(response);
    response.once('close', () => open.delete(response));
    serve(request, response).catch(() => refuse(response, 502, 'The server cannot be reached.'));
  };
}

function withHarmless(rawHeaders: readonly string[]): readonly string[] {
  const kept = rawHeaders.filter((_, at) => !removed.has(rawHeaders[at - (at % 2)]?.toLowerCase() ?? ''));
  return [...kept, ...Object.entries(harmless).flat()];
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
    'X-Content-Type-Options': 'nosniff',
    'Set-Cookie': cookie,
  });
  response.end('<!doctype html><title>Dashboard</title><meta http-equiv="refresh" content="0; url=/dashboard">\n');
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(`${reason}\n`);
}
