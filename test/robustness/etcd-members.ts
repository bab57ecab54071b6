import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findEtcd, startLocalEtcd } from '../../src/etcd/local-etcd.ts';
import { freePorts } from '../free-ports.ts';
import type { Host } from './private-network.ts';

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

/** Where a member listens, and what is run to start one. */
interface Seat {
  readonly binary: string;
  readonly host: string;
  readonly peerPort: number;
  /** 0 takes a free one. */
  readonly clientPort: number;
}

/** Starts one etcd, or a cluster of several, on loopback, or each on a host of its own. */
export async function startMembers(count: number, directory: string, hosts?: readonly Host[]): Promise<EtcdMember[]> {
  const binary = await findEtcd();
  const seats = hosts
    ? await Promise.all(hosts.slice(0, count).map((host) => seatOn(host, binary, directory)))
    : (await freePorts(count)).map((peerPort) => ({ binary, host: '127.0.0.1', peerPort, clientPort: 0 }));
  const clusterArgs = (own: Seat): string[] => (count === 1 ? [] : clusterArguments(own, seats));
  return Promise.all(
    seats.map((seat, i) =>
      startMember(path.join(directory, `etcd-${i}`), seat.clientPort, (dataDir, clientPort) =>
        startLocalEtcd({
          ...seat,
          dataDir,
          clientPort,
          logFile: path.join(directory, `etcd-${i}.log`),
          extraArgs: clusterArgs(seat),
        }),
      ),
    ),
  );
}

/** On a host of its own all ports are free. The program is a script that becomes etcd there. */
async function seatOn({ address, enter }: Host, binary: string, directory: string): Promise<Seat> {
  const script = path.join(directory, `etcd-on-${address}`);
  await writeFile(script, `#!/bin/sh\nexec ${enter.join(' ')} '${binary}' "$@"\n`, { mode: 0o700 });
  return { binary: script, host: address, peerPort: 2380, clientPort: 2379 };
}

async function startMember(
  dataDir: string,
  firstPort: number,
  startIn: (dataDir: string, clientPort: number) => ReturnType<typeof startLocalEtcd>,
): Promise<EtcdMember> {
  let etcd = await startIn(dataDir, firstPort);
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
    const response = await fetch(`${endpoint}/v3/maintenance/status`, { method: 'POST', body: '{}', signal });
    const status = (await response.json()) as { leader?: string; header?: { member_id?: string } };
    return status.leader !== undefined && status.leader === status.header?.member_id;
  } catch {
    return false;
  }
}

function clusterArguments(own: Seat, seats: readonly Seat[]): string[] {
  const cluster = seats.map((seat) => `${nameOf(seat)}=http://${seat.host}:${seat.peerPort}`).join();
  return [
    `--name=${nameOf(own)}`,
    `--initial-cluster=${cluster}`,
    '--heartbeat-interval=100',
    '--election-timeout=1000',
  ];
}

function nameOf({ host, peerPort }: Seat): string {
  return `m-${host}-${peerPort}`;
}
