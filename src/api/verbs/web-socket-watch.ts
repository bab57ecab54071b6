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

/** Returns the upgrade of a request to a WebSocket (RFC 6455); undefined without one. */
export function webSocketOf({ request }: Exchange): Upgrade | undefined {
  const upgrade = upgradeOf(request);
  return upgrade?.protocol.toLowerCase() === 'websocket' ? upgrade : undefined;
}

/**
 * Returns an encoder whose frames are messages of a WebSocket with one event each: the same one for
 * the same encoder, because the encoded events are shared.
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

/** The codes with which the server closes (RFC 6455, 7.4.1). */
const closeCodes = Object.freeze({ normal: 1000, protocolError: 1002 });

/** Clients have nothing to say; a larger frame of one is a mistake. */
const largestPayload = 64 * 1024;

/** The time for a client to close its side after the server. */
const lingerMs = 1_000;

/**
 * The events as messages over a connection that is upgraded. `onClose` is called when the client
 * closes it.
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

/** Says why a handshake is refused, with the checks and words of kube-apiserver. */
function refusalOf(exchange: Exchange): HandshakeRefusal | undefined {
  if (headerOf(exchange, 'sec-websocket-key') === '') return { status: 400, text: 'mismatch challenge/response' };
  if (headerOf(exchange, 'sec-websocket-version') !== '13') {
    return { status: 400, headers: ['Sec-WebSocket-Version', '13'], text: 'missing or bad WebSocket Version' };
  }
  if (!isOrigin(headerOf(exchange, 'origin'))) return { status: 403 };
  // The server would have to choose among several protocols, and knows none of them.
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

/** The proof that the server speaks the protocol (RFC 6455, 4.2.2). */
function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

/**
 * Reads the frames of the client until it closes: answers pings, at the pace at which it takes the
 * answers, and ignores messages.
 */
async function readClient(exchange: Exchange, socket: Socket): Promise<void> {
  // The end of the connection is handled in its `close` event.
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
    // A watch that has ended closes its connection itself.
    if (!exchange.signal.aborted) close(socket, closeCodes.protocolError);
  }
}

/** The bytes of a socket; a loop over it that ends leaves it open. */
function bytesOf(socket: Socket): AsyncIterable<Buffer> {
  return socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

/** Sends the last frame and closes the connection, once its reader has taken the rest. */
function close(socket: Socket, code: number): void {
  if (!socket.writable) return;
  const payload = Buffer.from([code >> 8, code & 0xff]);
  socket.end(encodeFrame(opcodes.close, payload, 'server'), () => {
    setTimeout(() => socket.destroy(), lingerMs).unref();
  });
  socket.resume();
}
