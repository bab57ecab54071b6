import { Agent as HttpAgent, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConnectionSettings } from '../../../outbound/config/connection-settings.ts';
import { openCredentials } from '../../../outbound/credentials/open-credentials.ts';
import { CliError } from '../../cli-error.ts';

/** Forwards requests to the server with the credentials of the user. */
interface HttpForwarder {
  /** `edit` changes the headers of the response, names and values alternately. */
  readonly forward: (
    request: IncomingMessage,
    path: string,
    response: ServerResponse,
    edit?: (rawHeaders: readonly string[]) => readonly string[],
  ) => Promise<void>;
  readonly upgrade: (request: IncomingMessage, path: string, socket: Duplex, head: Buffer) => Promise<void>;
  readonly close: () => void;
}

/** Headers of a connection and not of a request (RFC 9110 section 7.6.1). */
const ownHeaders: ReadonlySet<string> = new Set(['connection', 'host', 'keep-alive', 'proxy-connection', 'upgrade']);

/** Creates a forwarder over connections of its own. */
export function createForwarder(settings: ConnectionSettings): HttpForwarder {
  if (settings.proxyUrl !== undefined) {
    throw new CliError('the proxy cannot reach a server behind another proxy', { hint: 'see proxy-url' });
  }
  const { protocol, hostname, port, pathname, host } = new URL(settings.server);
  const isTls = protocol === 'https:';
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const prefix = pathname.replace(/\/$/, '');
  const credentials = openCredentials(settings);

  async function open(incoming: IncomingMessage, path: string, isUpgrade: boolean) {
    const { cert, key, authorization } = await credentials.get();
    const kept = Object.entries(incoming.headers).filter(([name]) => isUpgrade || !ownHeaders.has(name));
    const headers = {
      ...Object.fromEntries(kept),
      host,
      ...(authorization === undefined || incoming.headers.authorization ? {} : { authorization }),
    };
    const options = {
      host: hostname.replace(/^\[|\]$/g, ''),
      port,
      method: incoming.method ?? 'GET',
      path: prefix + path,
      headers,
      agent: isUpgrade ? false : agent,
    };
    if (!isTls) return httpRequest(options);
    const { ca, serverName, insecure = false } = settings;
    return httpsRequest({ ...options, ca, cert, key, servername: serverName, rejectUnauthorized: !insecure });
  }

  return {
    async forward(incoming, path, response, edit = (headers) => headers) {
      const sent = await open(incoming, path, false);
      response.once('close', () => sent.destroy());
      const answer = new Promise<IncomingMessage>((resolve, reject) => {
        sent.once('response', resolve).once('error', reject);
      });
      // The answer may come before the whole body is sent.
      pipeline(incoming, sent).catch(() => {});
      const {
        statusCode = 502,
        rawHeaders,
        ...rest
      } = await answer.then((message) => ({
        statusCode: message.statusCode,
        rawHeaders: message.rawHeaders,
        message,
      }));
      // A watch without events has a head and no bytes yet.
      response.writeHead(statusCode, [...edit(withoutOwn(rawHeaders))]).flushHeaders();
      await pipeline(rest.message, response);
    },
    async upgrade(incoming, path, socket, head) {
      const sent = await open(incoming, path, true);
      sent.once('error', () => socket.destroy());
      sent.once('response', (message) => {
        socket.write(headOf(message));
        message.pipe(socket);
      });
      sent.once('upgrade', (message, upstream, first) => {
        socket.write(headOf(message));
        if (first.length > 0) socket.write(first);
        if (head.length > 0) upstream.write(head);
        for (const [one, other] of [[socket, upstream] as const, [upstream, socket] as const]) {
          one.on('error', () => {}).once('close', () => other.destroy());
          one.pipe(other);
        }
      });
      sent.end();
    },
    close: () => agent.destroy(),
  };
}

/** The headers of a response, without the headers of its connection. */
function withoutOwn(raw: readonly string[]): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    if (!ownHeaders.has(name.toLowerCase())) headers.push(name, value);
  }
  return headers;
}

function headOf({ statusCode = 502, statusMessage = '', rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1] ?? ''}`] : []));
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n');
}
