import { isImpersonationHeader } from '../request/impersonation-headers.ts';
import type { HttpRequest } from '../request/http-message.ts';
import { remoteAddress } from '../request/source-addresses.ts';

/** Headers that concern one connection only (RFC 9110, 7.6.1), and those that Node sets itself. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Headers of requests that are not forwarded: credentials, and what is sent again. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'expect',
  'content-length',
  'authorization',
  'x-forwarded-for',
]);

/** Headers that let web pages of other origins read a response of this server. */
const crossOriginHeaders: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]);

/**
 * Returns the headers of a request that may be forwarded, names and values alternately, with the
 * address of the client added to `X-Forwarded-For`. Those of the connection, the credentials and
 * the length of the body are missing.
 */
export function forwardedHeaders(request: HttpRequest): string[] {
  const { rawHeaders, headers } = request;
  const listed = listedHeaders(headers.connection);
  const forwarded: string[] = [];
  eachHeader(rawHeaders, (name, value) => {
    const lower = name.toLowerCase();
    const keeps = !connectionHeaders.has(lower) && !ownHeaders.has(lower) && !listed.has(lower);
    if (keeps && !lower.startsWith(':') && !isImpersonationHeader(lower)) forwarded.push(name, value);
  });
  const acceptsTrailers = String(headers.te ?? '')
    .split(',')
    .some((part) => part.trim().toLowerCase() === 'trailers');
  if (acceptsTrailers) forwarded.push('TE', 'trailers');
  const sent = headers['x-forwarded-for'];
  const before = typeof sent === 'string' ? sent : sent?.join(', ');
  const own = remoteAddress(request);
  const all = [before, own].filter(Boolean).join(', ');
  if (all !== '') forwarded.push('X-Forwarded-For', all);
  return forwarded;
}

/** A header with all its values. */
interface PassedHeader {
  /** As the backend wrote it. */
  readonly name: string;
  readonly values: string[];
}

/** Headers of a response by lower-case name. */
export type PassedHeaders = Map<string, PassedHeader>;

/** Returns the headers of a backend's response that may be passed on. */
export function responseHeaders(rawHeaders: readonly string[]): PassedHeaders {
  const listed = new Set<string>();
  eachHeader(rawHeaders, (name, value) => {
    if (name.toLowerCase() === 'connection') for (const one of listedHeaders(value)) listed.add(one);
  });
  const passed: PassedHeaders = new Map();
  eachHeader(rawHeaders, (name, value) => {
    const lower = name.toLowerCase();
    if (connectionHeaders.has(lower) || crossOriginHeaders.has(lower) || listed.has(lower)) return;
    const known = passed.get(lower);
    if (known) known.values.push(value);
    else passed.set(lower, { name, values: [value] });
  });
  return passed;
}

function eachHeader(rawHeaders: readonly string[], visit: (name: string, value: string) => void): void {
  for (let index = 0; index < rawHeaders.length; index += 2)
    visit(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
}

/** The headers that a `Connection` header declares to be of the connection. */
function listedHeaders(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
}
