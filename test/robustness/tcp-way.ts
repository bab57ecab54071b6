import { connect, createServer, type Socket } from 'node:net';
import { findsWatches } from './finds-watches.ts';

/** `there` is towards the server. */
export type Direction = 'there' | 'back' | 'both';

/** A way to a server that can be interrupted as by a network: silently, or with all connections broken. */
export interface TcpWay {
  /** What to connect to instead. */
  readonly endpoint: string;
  /** Forwards nothing more, in either direction by default; connections stay open, and new ones are taken without an answer. */
  interrupt(direction?: Direction): void;
  /** Forwards nothing more on the connections that there are, as a firewall that has forgotten them; new ones work. */
  forget(): void;
  /** Breaks all connections and takes no new ones. */
  cut(): void;
  /** Breaks the connections that carry a watch on etcd, and new ones when they ask for one; calls go on. */
  cutWatches(): void;
  /** Forwards nothing more on the connections that carry a watch, nor on new ones when they ask for one; calls go on. */
  silenceWatches(): void;
  /** Goes on where it was interrupted or cut. */
  mend(): void;
  close(): void;
}

/** Listens on a free port of the loopback interface and passes everything on to an endpoint. */
export async function openTcpWay(endpoint: string): Promise<TcpWay> {
  const { hostname, port } = new URL(endpoint);
  const pairs = new Set<readonly [Socket, Socket]>();
  const forgotten = new Set<readonly [Socket, Socket]>();
  const watching = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'cut' | Direction = 'open';
  let watches: 'open' | 'cut' | 'silent' = 'open';
  const breakWatch = (pair: readonly [Socket, Socket]): void => {
    if (watches === 'cut') pair[0].destroy();
    if (watches !== 'silent') return;
    forgotten.add(pair);
    pairs.delete(pair);
    for (const socket of pair) socket.pause();
  };
  const isClosed = (direction: 'there' | 'back'): boolean => state === 'both' || state === direction;
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect({ host: hostname, port: Number(port) });
    const pair = [near, far] as const;
    pairs.add(pair);
    const carriesWatch = findsWatches();
    near.on('data', (data) => {
      if (watching.has(pair) || !carriesWatch(data)) return;
      watching.add(pair);
      breakWatch(pair);
    });
    for (const [from, to, direction] of [[near, far, 'there'] as const, [far, near, 'back'] as const]) {
      from.on('data', (data) => {
        if (forgotten.has(pair)) return;
        // Back pressure, for lists are larger than any buffer should be.
        if (!to.write(data)) from.pause();
      });
      to.on('drain', () => isClosed(direction) || forgotten.has(pair) || from.resume());
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        forgotten.delete(pair);
        watching.delete(pair);
        to.destroy();
      });
      if (isClosed(direction)) from.pause();
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
    interrupt(direction = 'both') {
      state = direction;
      for (const [near, far] of pairs) {
        if (isClosed('there')) near.pause();
        if (isClosed('back')) far.pause();
      }
    },
    forget() {
      each((socket) => socket.pause());
      for (const pair of pairs) {
        forgotten.add(pair);
        pairs.delete(pair);
      }
    },
    cut,
    cutWatches() {
      watches = 'cut';
      watching.forEach(breakWatch);
    },
    silenceWatches() {
      watches = 'silent';
      watching.forEach(breakWatch);
    },
    mend() {
      state = 'open';
      watches = 'open';
      each((socket) => socket.resume());
    },
    close() {
      cut();
      for (const [near, far] of forgotten) {
        near.destroy();
        far.destroy();
      }
      server.close();
    },
  };
}
