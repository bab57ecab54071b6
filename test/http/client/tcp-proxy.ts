import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Forwards connections to a server, and breaks them. */
export interface TcpProxy {
  readonly port: number;
  /** The connections that were accepted so far. */
  readonly accepted: number;
  /** Refuses new connections while it is set. */
  away: boolean;
  /** Ends all connections. */
  cut(): void;
  /** Resets all connections, as a machine does that lost them. */
  reset(): void;
  /** Forwards nothing more on the present connections, and does not end them. */
  freeze(): void;
  stop(): Promise<void>;
}

/** Starts a proxy on a free port of the loopback interface. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    accepted++;
    if (proxy.away) client.destroy();
    const target = connect(targetPort, '127.0.0.1');
    const pair = [client, target] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
    }
    client.pipe(target);
    target.pipe(client);
  });
  let accepted = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    get accepted() {
      return accepted;
    },
    away: false,
    cut() {
      for (const [client] of pairs) client.destroy();
    },
    reset() {
      for (const [client] of pairs) client.resetAndDestroy();
    },
    freeze() {
      for (const [client, target] of pairs) {
        client.unpipe(target);
        target.unpipe(client);
      }
    },
    async stop() {
      proxy.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
