import { getOwn } from '../../meta/json-value.ts';
import { badRequest } from '../../status/status-error.ts';
import { clientHost } from '../../http-protocol/forward/forwarded-headers.ts';
import { type Forwarding, forwardRequest } from '../../http-protocol/forward/forward-request.ts';
import { rewriteResponse } from '../../http-protocol/forward/rewrite-response.ts';
import { decodePath, encodeNamed, encodePath } from '../request/encode-path.ts';
import type { Exchange } from '../request/exchange.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';
import type { ConnectCall, ConnectHandler } from './connect-subresource.ts';
import { connectionError, type ForwardingDependencies, hostOf, locationOf } from './forwarding.ts';

/**
 * Creates the handler of `proxy`: it forwards requests with their path, query, headers and body,
 * and changes the links of responses so that they lead through this server again. A GET without a
 * path is redirected to `proxy/`, so that relative links work.
 */
export function forwardProxy({ locate, open, keep, bytesPerSecond }: ForwardingDependencies): ConnectHandler {
  return async (call) => {
    const location = await locationOf(locate, call);
    if (!location) throw badRequest('address not allowed');
    const { exchange, upgrade, shutdown } = call;
    const { request } = exchange;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!upgrade && call.path === '' && isRead) return redirectToRoot(exchange);
    const path = encodePath(cleanPath(forwardedPath(call)));
    const { query } = exchange.path;
    const prefix = encodeNamed(exchange.path);
    const ordinary: Partial<Forwarding> = {
      headers: ['X-Forwarded-Uri', `${prefix}${path}`],
      edit: rewriteResponse({ prefix, host: hostOf(location), clientHost: clientHost(request) }),
    };
    await forwardRequest(exchange, {
      connect: (signal) => open(location, signal),
      kept: keep(location),
      path: query === '' ? path : `${path}?${query}`,
      upgrade,
      bytesPerSecond,
      shutdown,
      failure: upgrade
        ? (error) => connectionError(error, 'error dialing backend')
        : (error) => connectionError(error, 'error trying to reach service', 'ServiceUnavailable'),
      ...(upgrade ? {} : ordinary),
    });
  };
}

function redirectToRoot(exchange: Exchange): void {
  const { path } = exchange;
  const root = `${encodeNamed(path)}/`;
  const location = path.query === '' ? root : `${root}?${path.query}`;
  sendAsItIs(exchange, {
    status: 301,
    contentType: undefined,
    body: Buffer.alloc(0),
    headers: { Location: location },
  });
}

/** The decoded path, one character for each byte: as sent, unless admission has changed it. */
function forwardedPath({ path, options }: ConnectCall): string {
  const sent = decodePath(path);
  const admitted = getOwn(options, 'path');
  if (typeof admitted !== 'string' || admitted === sent.toString('utf8')) return sent.toString('latin1');
  return Buffer.from(admitted, 'utf8').toString('latin1');
}

/**
 * Resolves `.`, `..` and repeated slashes in a decoded path, so that their meaning does not depend
 * on the server behind the proxy. A slash at the end is kept.
 */
function cleanPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const clean = `/${segments.join('/')}`;
  return path.endsWith('/') && clean !== '/' ? `${clean}/` : clean;
}
