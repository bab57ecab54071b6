import { credentialHeaders } from '../messages/credential-headers.ts';
import { isImpersonationHeader } from '../messages/impersonation-headers.ts';
import type { HttpRequest } from '../messages/http-message.ts';
import { remoteAddress } from '../messages/source-addresses.ts';
import { endToEndHeaders, headerValues, trailersAccepted } from './end-to-end-headers.ts';

/** Headers of requests that are written again. */
const rewritten: ReadonlySet<string> = new Set(['host', 'expect', 'content-length', 'x-forwarded-for']);

/** Headers that let web pages of other origins read a response of this server. */
const crossOriginHeaders: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]);

const isCredential = credentialHeaders([]);

function isOmitted(name: string): boolean {
  return rewritten.has(name) || isCredential(name) || isImpersonationHeader(name);
}

/**
 * Returns the headers of a request that may be forwarded, names and values alternately, with the
 * address of the client added to `X-Forwarded-For`. The headers of the connection, of the
 * credentials and of the length of the body are missing.
 */
export function forwardedHeaders(request: HttpRequest): string[] {
  const { rawHeaders } = request;
  const forwarded = endToEndHeaders(rawHeaders, isOmitted);
  forwarded.push(...trailersAccepted(rawHeaders));
  const addresses = [...headerValues(rawHeaders, 'x-forwarded-for'), remoteAddress(request)].filter(Boolean);
  if (addresses.length > 0) forwarded.push('X-Forwarded-For', addresses.join(', '));
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
  const passed: PassedHeaders = new Map();
  const kept = endToEndHeaders(rawHeaders, (name) => crossOriginHeaders.has(name));
  for (let index = 0; index < kept.length; index += 2) {
    const name = kept[index] ?? '';
    const value = kept[index + 1] ?? '';
    const known = passed.get(name.toLowerCase());
    if (known) known.values.push(value);
    else passed.set(name.toLowerCase(), { name, values: [value] });
  }
  return passed;
}

/** Returns the host that a client sent its request to; '' if it named none. */
export function clientHost(request: HttpRequest): string {
  const { host = '' } = request.headers;
  return 'authority' in request ? request.authority || host : host;
}
