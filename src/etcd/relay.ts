import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream';

/** The server that a relay leads to. */
export interface RelayTarget {
  readonly host: string;
  readonly port: number;
}

/** Opens a connection. Rejects if the signal aborts before it is open. */
export type OpenConnection = (target: RelayTarget, signal: AbortSignal) => Promise<Socket>;

/** A Unix socket whose connections lead to a server. */
interface Relay {
  readonly path: string;
  /** Ends the connections, and removes the socket. */
  close(): void;
}

/** The timeout of connecting to the server. */
const openTimeoutMs = 10_000;

/**
 * Starts a relay for gRPC clients, which always open their own connections: a Unix socket whose
 * connections `open` forwards to the server. The socket is in a new folder that only this user can
 * enter. If `open` fails, the connection of the client is closed.
 */
export async function startRelay(target: RelayTarget, open: OpenConnection): Promise<Relay> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cl-relay-'));
  const socketPath = path.join(folder, 'etcd');
  const clients = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client)).on('error', ignore);
    void join(client, target, open);
  });
  server.listen(socketPath);
  await once(server, 'listening');
  server.unref();
  return {
    path: socketPath,
    close() {
      server.close(() => void rm(folder, { recursive: true, force: true }));
      for (const client of clients) client.destroy();
    },
  };
}

async function join(client: Socket, target: RelayTarget, open: OpenConnection): Promise<void> {
  const ended = new AbortController();
  const leave = (): void => ended.abort();
  const timer = setTimeout(leave, openTimeoutMs).unref();
  client.once('close', leave);
  try {
    const server = await open(target, ended.signal);
    client.off('close', leave);
    if (client.destroyed) return void server.destroy();
    client.unref();
    server.unref();
    pipeline(client, server, client, ignore);
    client.resume();
  } catch {
    client.destroy();
  } finally {
    clearTimeout(timer);
  }
}

function ignore(): void {}
