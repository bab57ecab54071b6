import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findEtcd, startLocalEtcd } from '../../src/etcd/local-etcd.ts';
import { freePorts } from '../free-ports.ts';
import { askMember } from './ask-member.ts';
import type { Host } from './private-network.ts';
import { becomesTrue } from './until.ts';

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
  /** Starts it again, by another program if one is given. */
  restart(binary?: string): Promise<void>;
  /** Takes it out of the cluster, and puts one without data in its place. */
  replace(): Promise<void>;
  /** Resolves when it ends, whatever ends it. */
  ended(): Promise<unknown>;
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
  const members: EtcdMember[] = await Promise.all(
    seats.map((seat, i) =>
      startMember(memberFolder(directory, i), seat, {
        startIn: (dataDir, clientPort, { binary: program = seat.binary, more = [] }) =>
          startLocalEtcd({
            ...seat,
            binary: program,
            dataDir,
            clientPort,
            logFile: path.join(directory, `etcd-${i}.log`),
            extraArgs: [...clusterArgs(seat), ...more],
          }),
        another: () => members[(i + 1) % count]?.endpoint ?? '',
      }),
    ),
  );
  return members;
}

/** The folder of the data of a member. */
export function memberFolder(directory: string, index: number): string {
  return path.join(directory, `etcd-${index}`);
}

/** On a host of its own all ports are free. The program is a script that becomes etcd there. */
async function seatOn({ address, enter }: Host, binary: string, directory: string): Promise<Seat> {
  const script = path.join(directory, `etcd-on-${address}`);
  await writeFile(script, `#!/bin/sh\nexec ${enter.join(' ')} '${binary}' "$@"\n`, { mode: 0o700 });
  return { binary: script, host: address, peerPort: 2380, clientPort: 2379 };
}

interface StartOptions {
  readonly binary?: string | undefined;
  readonly more?: readonly string[];
}

interface MemberContext {
  readonly startIn: (dataDir: string, clientPort: number, options: StartOptions) => ReturnType<typeof startLocalEtcd>;
  /** The endpoint of another member. */
  readonly another: () => string;
}

async function startMember(dataDir: string, seat: Seat, { startIn, another }: MemberContext): Promise<EtcdMember> {
  let etcd = await startIn(dataDir, seat.clientPort, {});
  const { endpoint, clientPort } = etcd;
  const start = async (options: StartOptions = {}): Promise<void> => {
    etcd = await startIn(dataDir, clientPort, options);
  };
  return {
    endpoint,
    leads: () => leads(endpoint),
    kill: () => etcd.kill(),
    stop: () => etcd.stop(),
    start: () => start(),
    async restart(binary) {
      await etcd.stop();
      await start({ binary });
    },
    async replace() {
      await etcd.kill();
      await changeCluster(another, seat, 'remove');
      // A mount point stays.
      for (const name of await readdir(dataDir)) await rm(path.join(dataDir, name), { recursive: true });
      await changeCluster(another, seat, 'add');
      await start({ more: ['--initial-cluster-state=existing'] });
    },
    ended: () => etcd.exited,
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
    const { leader, header } = await askMember(endpoint, 'maintenance/status', {}, 1_000);
    return leader !== undefined && leader === (header as { member_id?: string } | undefined)?.member_id;
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

/** Removes a member from its cluster, or adds it. etcd refuses both until its members have been connected for seconds. */
async function changeCluster(another: () => string, { host, peerPort }: Seat, how: 'add' | 'remove'): Promise<void> {
  const url = `http://${host}:${peerPort}`;
  const isChanged = async (): Promise<boolean> => {
    const { members } = await askMember(another(), 'cluster/member/list');
    const own = (members as { ID: string; peerURLs: string[] }[]).find(({ peerURLs }) => peerURLs.includes(url));
    if ((own === undefined) === (how === 'remove')) return true;
    await askMember(another(), `cluster/member/${how}`, how === 'add' ? { peerURLs: [url] } : { ID: own?.ID });
    return true;
  };
  // A refusal, or a response that was lost: the list shows what came of it.
  if (!(await becomesTrue(() => isChanged().catch(() => false), 120_000))) throw new Error(`${url}: no ${how}`);
}
