import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { encodeFrame, opcodes, readFrames, serverHead } from '../../client/streams/web-socket-frames.ts';
import type { WatchEncoder } from '../../codec/codec.ts';
import { type Upgrade, upgradeOf } from '../../http-protocol/messages/upgrade.ts';
import { ClientGone } from '../../http-protocol/requests/http-exchange.ts';
import { drainedFor } from '../../http-protocol/responses/drained.ts';
import { standardHeaders } from '../../http-protocol/responses/standard-headers.ts';
import { memoize } from '../../meta/memoize.ts';
import type { Exchange } from '../request/exchange.ts';
import type { WatchSink } from './watch-sink.ts';

/** Returns the WebSocket upgrade of a request (RFC 6455); undefined if there is none. */
export function webSocketOf({ request }: Exchange): Upgrade | undefined {
  const upgrade = upgradeOf(request);
  return upgrade?.protocol.toLowerCase() === 'websocket' ? upgrade : undefined;
}

/**
 * Wraps an encoder so that each event is a WebSocket message. Memoized, because encoded events are
 * shared among watches.
 */
export const webSocketEncoder = memoize((encoder: WatchEncoder): WatchEncoder => {
  const { isText, lengthBytes = 0 } = encoder;
  const opcode = isText ? opcodes.text : opcodes.binary;
  return {
    ...encoder,
    frame(type, document) {
      const [first = Buffer.alloc(0), ...others] = encoder.frame(type, document);
      const parts = [first.subarray(lengthBytes), ...others];
      return [
        serverHead(
          opcode,
          parts.reduce((sum, { length }) => sum + length, 0),
        ),
        ...parts,
      ];
    },
  };
});

/** The close codes of the server (RFC 6455, 7.4.1). */
const closeCodes = Object.freeze({ normal: 1000, protocolError: 1002 });

/** The largest frame that a client may send; clients have nothing to send. */
const largestPayload = 64 * 1024;

/** How long a client may take to close its side after the server. */
const lingerMs = 1_000;

/**
 * Writes the events as WebSocket messages over the upgraded connection. `onClose` is called when
 * the client closes.
 */
export function webSocketSink(exchange: Exchange, upgrade: Upgrade, onClose: () => void): WatchSink {
  let socket: Socket | undefined;
  return {
    begin() {
      const refusal = refusalOf(exchange);
      if (!refusal) return 101;
      const { status, headers = [], text = '' } = refusal;
      exchange.response.writeHead(status, [...standardHeaders(exchange, 'text/plain; charset=utf-8'), ...headers]);
      exchange.audit?.started(status);
      exchange.audit?.flush();
      exchange.response.end(Buffer.from(text));
      return undefined;
    },
    open() {
      const protocol = headerOf(exchange, 'sec-websocket-protocol');
      socket = upgrade.accept('websocket', [
        'Sec-WebSocket-Accept',
        acceptOf(headerOf(exchange, 'sec-websocket-key')),
        ...(protocol === '' ? [] : ['Sec-WebSocket-Protocol', protocol]),
      ]);
      exchange.socket = socket;
      void readClient(exchange, socket).then(onClose);
    },
    write: ({ bytes }) => socket?.write(bytes) ?? true,
    room: () => (socket ? drainedFor(exchange, socket) : Promise.resolve()),
    end(last) {
      if (!socket) return;
      if (last) socket.write(last);
      close(socket, closeCodes.normal);
    },
  };
}

interface HandshakeRefusal {
  readonly status: number;
  readonly headers?: readonly string[];
  readonly text?: string;
}

/** The refusal of an invalid handshake, with the checks and messages of kube-apiserver. */
function refusalOf(exchange: Exchange): HandshakeRefusal | undefined {
  if (headerOf(exchange, 'sec-websocket-key') === '') return { status: 400, text: 'mismatch challenge/response' };
  if (headerOf(exchange, 'sec-websocket-version') !== '13') {
    return { status: 400, headers: ['Sec-WebSocket-Version', '13'], text: 'missing or bad WebSocket Version' };
  }
  if (!isOrigin(headerOf(exchange, 'origin'))) return { status: 403 };
  // Several protocols: the server would have to choose one, and knows none.
  if (headerOf(exchange, 'sec-websocket-protocol').includes(',')) return { status: 400 };
  return undefined;
}

/** True for a URL or an absolute path. */
function isOrigin(origin: string): boolean {
  return origin.startsWith('/') || URL.canParse(origin);
}

function headerOf({ request }: Exchange, name: string): string {
  return String(request.headers[name] ?? '').trim();
}

/** The value of `Sec-WebSocket-Accept` (RFC 6455, 4.2.2). */
function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

/**
 * Reads the frames of the client until it closes. Answers pings as fast as the client reads the
 * answers, and ignores messages.
 */
async function readClient(exchange: Exchange, socket: Socket): Promise<void> {
  // The end of the connection is handled by its `close` event.
  socket.on('error', () => undefined);
  socket.once('close', () => exchange.abort(new ClientGone()));
  try {
    for await (const { opcode, payload } of readFrames(bytesOf(socket), { sender: 'client', largestPayload })) {
      if (opcode === opcodes.close) return close(socket, closeCodes.normal);
      if (opcode !== opcodes.ping) continue;
      const pong = encodeFrame(opcodes.pong, payload, 'server');
      if (!socket.write(pong)) await drainedFor(exchange, socket);
    }
    close(socket, closeCodes.normal);
  } catch {
    // After the end of the watch the sink closes the connection.
    if (!exchange.signal.aborted) close(socket, closeCodes.protocolError);
  }
}

/** The bytes of a socket. Ending the loop early does not destroy the socket. */
function bytesOf(socket: Socket): AsyncIterable<Buffer> {
  return socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

/** Sends a close frame, then closes the connection once the client has read everything. */
function close(socket: Socket, code: number): void {
  if (!socket.writable) return;
  const payload = Buffer.from([code >> 8, code & 0xff]);
  socket.end(encodeFrame(opcodes.close, payload, 'server'), () => {
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
  socket.resume();
}
