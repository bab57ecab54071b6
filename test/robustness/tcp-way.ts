import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be interrupted as by a network: silently, or with all connections broken. */
export interface TcpWay {
  /** What to connect to instead. */
  readonly endpoint: string;
  /** Forwards nothing more in either direction; connections stay open, and new ones are taken without an answer. */
  interrupt(): void;
  /** Breaks all connections and takes no new ones. */
  cut(): void;
  /** Goes on where it was interrupted or cut. */
  mend(): void;
  close(): void;
}

/** Listens on a free port of the loopback interface and passes everything on to an endpoint. */
export async function openTcpWay(endpoint: string): Promise<TcpWay> {
  const { hostname, port } = new URL(endpoint);
  const pairs = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'interrupted' | 'cut' = 'open';
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect({ host: hostname, port: Number(port) });
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.on('data', (data) => {
        // Back pressure, for lists are larger than any buffer should be.
        if (!to.write(data)) from.pause();
      });
      to.on('drain', () => state === 'interrupted' || from.resume());
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
      if (state === 'interrupted') from.pause();
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const each = (act: (socket: Socket) => unknown): void => pairs.forEach((pair) => pair.forEach(act));
  const cut = (): void => {
    state = 'cut';
    each((socket) => socket.destroy());
  };
  return {
    endpoint: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`,
    interrupt() {
      state = 'interrupted';
      each((socket) => socket.pause());
    },
    cut,
    mend() {
      state = 'open';
      each((socket) => socket.resume());
    },
    close() {
      cut();
      server.close();
    },
  };
}
