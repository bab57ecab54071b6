import type { UserInfo } from '../../meta/user-info.ts';
import { credentialHeaders } from '../../http-protocol/messages/credential-headers.ts';
import { sourceAddresses } from '../../http-protocol/messages/source-addresses.ts';
import { endToEndHeaders, headerValues, trailersAccepted } from '../../http-protocol/forward/end-to-end-headers.ts';
import { passedHeaderKey } from '../../identifiers/peer-header.ts';
import { pathForOthers } from '../../api/request/encode-path.ts';
import type { Exchange } from '../../api/request/exchange.ts';
import type { TraceHeaders } from '../../tracing/span.ts';
import { isImpersonationHeader } from '../../http-protocol/messages/impersonation-headers.ts';

/** Headers of requests that this server writes. It answers `Expect` itself. */
const rewritten: ReadonlySet<string> = new Set([
  'host',
  'expect',
  'audit-id',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-uri',
  passedHeaderKey,
]);

const isCredential = credentialHeaders([]);

/** The trace headers of the client, which are dropped if this server traces and writes its own. */
const traceHeaders: ReadonlySet<string> = new Set(['traceparent', 'tracestate']);

/** The other facts about a request that is passed on. */
interface Forwarding {
  /** Host and port of the backend. */
  readonly host: string;
  /** The name of this server in `Via`. */
  readonly pseudonym: string;
  /** The trace headers for the backend; absent if this server does not trace. */
  readonly trace?: TraceHeaders;
}

/**
 * The headers of a request for the backend: the client's without its credentials, and the user of
 * the request (spec 5.5). Names and values alternately, values in Latin-1 as Node writes them.
 */
export function forwardedRequestHeaders(exchange: Exchange, { host, pseudonym, trace }: Forwarding): string[] {
  const { request, path, auditId, user } = exchange;
  const kept = endToEndHeaders(request.rawHeaders, (name) => {
    if (trace && traceHeaders.has(name)) return true;
    return rewritten.has(name) || isCredential(name) || isImpersonationHeader(name);
  });
  const via = [...headerValues(request.rawHeaders, 'via'), `${request.httpVersion} ${pseudonym}`].join(', ');
  const sources = [...headerValues(request.rawHeaders, 'x-forwarded-for'), ...sourceAddresses(request).slice(-1)];
  return [
    'Host',
    host,
    ...kept,
    ...trailersAccepted(request.rawHeaders),
    'X-Forwarded-For',
    sources.join(', '),
    'X-Forwarded-Host',
    host,
    'X-Forwarded-Proto',
    'https',
    'X-Forwarded-Uri',
    pathForOthers(path),
    'Via',
    via,
    'Audit-Id',
    auditId,
    ...Object.entries(trace ?? {}).flat(),
    ...userHeaders(user),
  ];
}

/** Reports whether a request has passed this server already. */
export function hasPassed(rawHeaders: readonly string[], pseudonym: string): boolean {
  return headerValues(rawHeaders, 'via').some((value) => value.includes(pseudonym));
}

/** The headers that name a user to a server that trusts this one (spec 5.5). */
export function userHeaders({ username, uid, groups, extra }: UserInfo): string[] {
  const keyed = Object.entries(extra ?? {}).flatMap(([key, values]) =>
    values.flatMap((value) => [`X-Remote-Extra-${escapedKey(key)}`, headerText(value)]),
  );
  return [
    'X-Remote-User',
    headerText(username),
    ...(uid ? ['X-Remote-Uid', headerText(uid)] : []),
    ...groups.flatMap((group) => ['X-Remote-Group', headerText(group)]),
    ...keyed,
  ];
}

/** Headers of a response that this server sets. */
const ownResponseHeaders: ReadonlySet<string> = new Set(['audit-id', 'strict-transport-security']);

/** The headers of a backend's response for the client, without the headers of its connection. */
export function forwardedResponseHeaders(headers: readonly string[]): string[] {
  return endToEndHeaders(headers, (name) => ownResponseHeaders.has(name));
}

/** The names of users are UTF-8; Node writes headers as Latin-1. */
function headerText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The bytes that a name of a header may have (RFC 9110, 5.6.2), without the percent sign. */
const plain = /[!#$&'*+.^_`|~0-9A-Za-z-]/;

function escapedKey(key: string): string {
  return [...Buffer.from(key, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return plain.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
