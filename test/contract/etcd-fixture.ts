import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalEtcd } from '../../src/etcd/local-etcd.ts';

/** An etcd with a directory of its own, which a test can end and start again at the same address. */
export interface EtcdHome {
  readonly endpoint: string;
  readonly pid: number;
  kill(): Promise<void>;
  /** Stops it where it is; resolves when it does nothing more. */
  freeze(): Promise<void>;
  /** Lets it go on. */
  thaw(): void;
  /** Starts it again, on the same data unless `anew`. */
  start(how?: { readonly anew: boolean }): Promise<void>;
  close(): Promise<void>;
}

/** Starts an etcd in a temporary directory. */
export async function openEtcdHome(options: Partial<Parameters<typeof startLocalEtcd>[0]> = {}): Promise<EtcdHome> {
  const home = await mkdtemp(join(tmpdir(), 'contract-etcd-'));
  const dataDir = join(home, 'data');
  let etcd = await startLocalEtcd({ dataDir, ...options });
  const { endpoint, clientPort, peerPort } = etcd;
  return {
    endpoint,
    get pid() {
      return etcd.pid;
    },
    kill: () => etcd.kill(),
    freeze: () => freezeProcess(etcd.pid),
    thaw() {
      process.kill(etcd.pid, 'SIGCONT');
    },
    async start({ anew } = { anew: false }) {
      if (anew) await rm(dataDir, { recursive: true });
      etcd = await startLocalEtcd({ dataDir, ...options, clientPort, peerPort });
    },
    async close() {
      await etcd.stop();
      await rm(home, { recursive: true });
    },
  };
}

/** Stops a process until it gets SIGCONT, and waits for the stop: on a busy machine the next request may come before it. */
export async function freezeProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  while (await hasRunningThread(pid)) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A stop takes effect for one thread after the other. Linux alone tells. */
async function hasRunningThread(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const stats = await Promise.all(
    threads.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8').catch(() => '')),
  );
  return stats.some((stat) => stat !== '' && !/\) T /.test(stat));
}

/** A way to etcd that a test can break. */
export interface BreakableWay {
  /** What to connect to instead. */
  readonly endpoint: string;
  /** Ends all connections and takes no new ones, until `mend`. */
  cut(): void;
  /** Lets requests through, but no answers, until `cut`. */
  mute(): void;
  /** The bytes of answers that did not get through. */
  readonly withheldBytes: number;
  mend(): void;
  close(): void;
}

/** Listens on a port of its own and passes everything on to an endpoint. */
export async function openWay(endpoint: string): Promise<BreakableWay> {
  const { hostname, port } = new URL(endpoint);
  const connections = new Set<readonly [Socket, Socket]>();
  let state: 'open' | 'cut' | 'muted' = 'open';
  let withheldBytes = 0;
  const cut = (): void => {
    state = 'cut';
    for (const sockets of connections) for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connect({ host: hostname, port: Number(port) });
    const pair = [near, far] as const;
    connections.add(pair);
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => {
      if (state === 'muted') withheldBytes += data.length;
      else near.write(data);
    });
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        connections.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    endpoint: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`,
    cut,
    mute() {
      state = 'muted';
    },
    get withheldBytes() {
      return withheldBytes;
    },
    mend() {
      state = 'open';
    },
    close() {
      cut();
      server.close();
    },
  };
}
