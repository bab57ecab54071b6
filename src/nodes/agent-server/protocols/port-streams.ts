import { Duplex } from 'node:stream';
import { serveSpdy, type SpdyStream } from './spdy-session.ts';
import { type ServerSocket, settle } from './accept-web-socket.ts';

/**
 * Joins a stream with a port of a pod until both have ended. Rejects with the text that the client
 * reads.
 */
export type JoinPort = (port: number, stream: Duplex) => Promise<void>;

/** Serves forwarded ports over SPDY: a pair of streams, for errors and for data, each time. */
export function portsOverSpdy(transport: Duplex, join: JoinPort): void {
  const errors = new Map<string, Duplex>();
  serveSpdy(transport, ({ headers, duplex }: SpdyStream) => {
    const id = headers.get('requestid') ?? '';
    if (headers.get('streamtype') === 'error') {
      errors.set(id, duplex);
      duplex.resume().once('close', () => errors.delete(id));
      return;
    }
    const error = errors.get(id);
    errors.delete(id);
    join(Number(headers.get('port')), duplex).then(
      () => error?.end(),
      ({ message }: Error) => {
        error?.end(message);
        duplex.end();
      },
    );
  });
}

/** Serves ports over the channels of a WebSocket: two for each port, for data and for errors. */
export function portOverWebSocket(socket: ServerSocket, ports: readonly number[], join: JoinPort): void {
  const streams = ports.map((port, index) => streamOf(socket, port, index, join));
  let open = streams.length;
  for (const stream of streams) {
    stream.once('close', () => {
      if (--open === 0) socket.close();
    });
  }
  const receive = async (): Promise<void> => {
    for await (const message of socket.messages) {
      const stream = streams[(message[0] ?? 0) >> 1];
      if (stream && !stream.destroyed && message.length > 1) await stream.deliver(message.subarray(1));
    }
    for (const stream of streams) stream.destroy();
  };
  void receive();
}

/** A forwarded port. */
interface PortStream extends Duplex {
  /** Resolves when the reader takes more or is gone, so that the client is read at its pace. */
  deliver(bytes: Buffer): Promise<void>;
}

function streamOf(socket: ServerSocket, port: number, index: number, join: JoinPort): PortStream {
  const [data, error] = [Buffer.of(2 * index), Buffer.of(2 * index + 1)];
  const number = Buffer.alloc(2);
  number.writeUInt16LE(port & 0xffff);
  void socket.send(Buffer.concat([data, number]));
  void socket.send(Buffer.concat([error, number]));
  let wake: (() => void) | undefined;
  const duplex = new Duplex({
    read: () => wake?.(),
    write: (chunk: Buffer, _encoding, done) => void settle(socket.send(Buffer.concat([data, chunk])), done),
  });
  const stream = Object.assign(duplex, {
    async deliver(bytes: Buffer): Promise<void> {
      if (!duplex.push(bytes)) await new Promise<void>((resolve) => (wake = resolve));
    },
  });
  stream.on('error', () => {}).once('close', () => wake?.());
  join(port, stream).then(
    () => stream.destroy(),
    async ({ message }: Error) => {
      await socket.send(Buffer.concat([error, Buffer.from(message)]));
      stream.destroy();
    },
  );
  return stream;
}
