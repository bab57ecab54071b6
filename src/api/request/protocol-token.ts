import { identifierSets, identifiersOf } from '../../identifiers/identifiers.ts';
import { type Authorization, bearerOf } from './bearer-token.ts';
import type { HttpRequest } from '../../http-protocol/messages/http-message.ts';

const header = 'sec-websocket-protocol';

/** The starts of sub-protocols that are tokens, in each set of identifiers. */
const prefixes: readonly string[] = identifierSets.map(
  (set) => `base64url.bearer.authorization.${identifiersOf(set).apiDomain}.`,
);

/**
 * Takes the token of a WebSocket client out of its sub-protocols: browsers cannot set other
 * headers. The header goes on with the other protocols; one at least is needed, because the server
 * must choose one. The token of any other request is taken out too, but identifies nobody.
 */
export function takeProtocolToken(request: HttpRequest): Authorization {
  const sent = request.headers[header];
  if (typeof sent !== 'string' || !prefixes.some((prefix) => sent.includes(prefix))) return { kind: 'none' };
  const protocols = sent.split(',').map((protocol) => protocol.trim());
  const others = protocols.filter((protocol) => tokenIn(protocol) === undefined);
  replaceProtocols(request, others.join(', '));
  const [token, ...repeated] = protocols.flatMap((protocol) => tokenIn(protocol) ?? []);
  if (token === undefined || !isWebSocket(request)) return { kind: 'none' };
  if (repeated.length > 0 || others.length === 0) return { kind: 'malformed' };
  const bytes = Buffer.from(token, 'base64url');
  // An empty text and a text with other characters are no tokens.
  return token !== '' && bytes.toString('base64url') === token ? bearerOf(bytes) : { kind: 'malformed' };
}

/** Reports whether a request asks for a WebSocket, on a path that serves none too. */
function isWebSocket({ headers }: HttpRequest): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** The encoded token of a sub-protocol; undefined for other protocols. */
function tokenIn(protocol: string): string | undefined {
  const prefix = prefixes.find((each) => protocol.startsWith(each));
  return prefix === undefined ? undefined : protocol.slice(prefix.length);
}

function replaceProtocols({ rawHeaders, headers }: HttpRequest, protocols: string): void {
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (rawHeaders[index]?.toLowerCase() === header) rawHeaders.splice(index, 2);
  }
  delete headers[header];
  if (protocols === '') return;
  rawHeaders.push('Sec-WebSocket-Protocol', protocols);
  headers[header] = protocols;
}
