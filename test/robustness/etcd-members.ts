import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { findEtcd, type LocalEtcd, startLocalEtcd } from '../../src/etcd/local-etcd.ts';

/** One member of etcd, which a fault can end, stop and start again on its data and ports. */
export interface EtcdMember {
  /** Straight to it. */
  readonly endpoint: string;
  /** Whether it leads the others, as it sees it itself. */
  leads(): Promise<boolean>;
  kill(): Promise<void>;
  /** Ends it as an administrator would. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Keeps a copy of its data, for which it is stopped and started again. */
  save(): Promise<void>;
  /** Kills it and starts it on the copy, as one who restores a backup does. */
  restore(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Starts one etcd, or a cluster of several, on loopback. */
export async function startMembers(count: number, directory: string): Promise<EtcdMember[]> {
  const binary = await findEtcd();
  const peerPorts = await freePorts(count);
  const clusterArgs = count === 1 ? () => [] : (name: string) => clusterArguments(name, peerPorts);
  return Promise.all(
    peerPorts.map((peerPort, i) =>
      startMember(path.join(directory, `etcd-${i}`), (dataDir, clientPort) =>
        startLocalEtcd({
          binary,
          dataDir,
          peerPort,
          clientPort,
          logFile: path.join(directory, `etcd-${i}.log`),
          extraArgs: clusterArgs(`m${peerPort}`),
        }),
      ),
    ),
  );
}

async function startMember(
  dataDir: string,
  startIn: (dataDir: string, clientPort: number) => Promise<LocalEtcd>,
): Promise<EtcdMember> {
  let etcd = await startIn(dataDir, 0);
  const { endpoint, clientPort } = etcd;
  const start = async (): Promise<void> => {
    etcd = await startIn(dataDir, clientPort);
  };
  return {
    endpoint,
    leads: () => leads(endpoint),
    kill: () => etcd.kill(),
    stop: () => etcd.stop(),
    start,
    async save() {
      await etcd.stop();
      await cp(dataDir, `${dataDir}.saved`, { recursive: true });
      await start();
    },
    async restore() {
      await etcd.kill();
      await rm(dataDir, { recursive: true });
      await cp(`${dataDir}.saved`, dataDir, { recursive: true });
      await start();
    },
    pause: () => void process.kill(etcd.pid, 'SIGSTOP'),
    resume: () => void process.kill(etcd.pid, 'SIGCONT'),
    close: () => etcd.kill(),
  };
}

async function leads(endpoint: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`${endpoint}/v3/maintenance/status`, { method: 'POST', body: '{}', signal });
    const status = (await answer.json()) as { leader?: string; header?: { member_id?: string } };
    return status.leader !== undefined && status.leader === status.header?.member_id;
  } catch {
    return false;
  }
}

function clusterArguments(name: string, peerPorts: readonly number[]): string[] {
  const cluster = peerPorts.map((port) => `m${port}=http://127.0.0.1:${port}`).join();
  return [`--name=${name}`, `--initial-cluster=${cluster}`, '--heartbeat-interval=100', '--election-timeout=1000'];
}

/** Ports that nobody listens on, all different. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address());
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports.map((address) => (address !== null && typeof address === 'object' ? address.port : 0));
}
