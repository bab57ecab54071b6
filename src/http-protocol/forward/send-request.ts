import { Agent, type IncomingMessage, request as createRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** A request for a backend. */
interface BackendRequest {
  readonly method: string;
  /** The path and the query, of printable characters. */
  readonly path: string;
  /** All headers, names and values alternately. */
  readonly headers: readonly string[];
  /** The body; absent: the request has none. */
  readonly body?: Readable;
  /** Destroys the connection when it aborts, also while the response is read. */
  readonly signal: AbortSignal;
}

/** A response of a backend whose body has not been read. */
export interface BackendResponse {
  readonly message: IncomingMessage;
  /** The bytes after the header if the backend has changed the protocol of the socket. */
  readonly upgradeHead?: Buffer;
}

/** Larger headers of responses are refused. */
const maxHeaderBytes = 64 * 1024;

/**
 * Sends a request over a connection and resolves with the head of the response. Rejects if the
 * connection breaks before that. A connection of its own is closed after the response, unless the
 * protocol changed; an agent keeps its connections. A request without body that meets the end of a
 * kept connection is repeated.
 */
export function sendRequest(connection: Socket | Agent, request: BackendRequest): Promise<BackendResponse> {
  const { method, path, headers, body, signal } = request;
  return new Promise((resolve, reject) => {
    const outgoing = createRequest({
      ...(connection instanceof Agent ? { agent: connection } : { createConnection: () => connection }),
      method,
      path,
      headers: [...headers],
      maxHeaderSize: maxHeaderBytes,
    });
    const abort = (): void => void outgoing.destroy(signal.reason);
    outgoing.on('response', (message) => resolve({ message }));
    outgoing.on('upgrade', (message, _socket, head) => {
      signal.removeEventListener('abort', abort);
      resolve({ message, upgradeHead: head });
    });
    outgoing.on('error', (error) => {
      const isRepeated = outgoing.reusedSocket && !body && !signal.aborted;
      if (isRepeated) resolve(sendRequest(connection, request));
      else reject(error);
    });
    signal.addEventListener('abort', abort, { once: true });
    outgoing.on('close', () => {
      signal.removeEventListener('abort', abort);
      // The backend may respond without having read the body. A pipeline would destroy the request
      // of the client, and with it the connection of the response.
      body?.unpipe(outgoing).resume();
    });
    if (signal.aborted) abort();
    else if (body) body.pipe(outgoing);
    else outgoing.end();
  });
}
