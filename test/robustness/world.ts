import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EtcdClient, connectEtcd } from '../../src/etcd/etcd-client.ts';
import { type EtcdMember, memberFolder, startMembers } from './etcd-members.ts';
import { networkPartitions, type Partitions, proxyPartitions } from './partitions.ts';
import { openPrivateNetwork, type PrivateNetwork } from './private-network.ts';
import { type Referee, startReferee } from './referee.ts';
import { type ServerProcess, type ServerProcessOptions, startServerProcess } from './server-process.ts';
import { openSmallDisk, type SmallDisk } from './small-disk.ts';
import { openTcpWay, type TcpWay } from './tcp-way.ts';

/** What a scenario runs on. */
export interface Given {
  /** Members of etcd; 1 by default. */
  readonly members?: 1 | 3;
  /** API servers on it; 1 by default. */
  readonly servers?: 1 | 2 | 3;
  /** Processes of each server that serve its port; 1 by default. */
  readonly workers?: 2;
  /** The wall clock of each server can be set. */
  readonly ownClocks?: boolean;
  /** The first member has a small disk, where the machine permits that. */
  readonly smallDisk?: boolean;
  /** Flags of the servers besides the usual ones. */
  readonly flags?: readonly string[];
  /** The most files that a server may have open. */
  readonly openFiles?: number;
  /** Each server and member has a host of its own in a private network, where the machine permits that. */
  readonly ownHosts?: boolean;
}

/** A system under test: members of etcd with a referee on each, and servers that reach them over ways that can break. */
export interface World extends AsyncDisposable {
  readonly members: readonly EtcdMember[];
  readonly referees: readonly Referee[];
  readonly servers: readonly ServerProcess[];
  /** The way of each server to each member: `ways[server][member]`; none where each has a host of its own. */
  readonly ways: readonly (readonly TcpWay[])[];
  readonly partitions: Partitions;
  /** The disk of the first member, if it is small. */
  readonly disk: SmallDisk | undefined;
  /** Sets the wall clock of a server wrong by so many milliseconds. */
  readonly stepClock: (server: number, offsetMs: number) => Promise<void>;
  /** Straight to etcd. */
  readonly etcd: EtcdClient;
}

/** How often the servers compare their caches with etcd. */
export const cacheCheckMs = 1_000;

/** Starts a world; where that fails, what has been started is ended. */
export async function openWorld(given: Given): Promise<World> {
  const { members: memberCount = 1, servers: serverCount = 1 } = given;
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-robustness-'));
  const closing: (() => Promise<unknown> | void)[] = [() => rm(directory, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const end of closing.toReversed()) await end();
  };
  try {
    const network = given.ownHosts === true ? await privateNetwork(memberCount + serverCount) : undefined;
    closing.push(async () => network?.close());
    const disk = given.smallDisk === true ? await smallDisk(memberFolder(directory, 0)) : undefined;
    closing.push(async () => disk?.close());
    const members = await startMembers(memberCount, directory, network?.hosts);
    closing.push(() => Promise.all(members.map((member) => member.close())));
    const referees = await Promise.all(members.map(({ endpoint }) => startReferee(endpoint)));
    closing.push(() => Promise.all(referees.map((referee) => referee.close())));
    const etcd = await connectEtcd({ endpoints: members.map(({ endpoint }) => endpoint) });
    closing.push(() => etcd.close());
    const servers: ServerProcess[] = [];
    closing.push(() => Promise.all(servers.map((server) => server.kill())));
    const ways: TcpWay[][] = [];
    closing.push(() => ways.flat().forEach((way) => way.close()));
    for (let i = 0; i < serverCount; i++) {
      const own = network ? [] : await Promise.all(members.map(({ endpoint }) => openTcpWay(endpoint)));
      ways.push(own);
      servers.push(
        await startServerProcess({
          etcdEndpoints: (network ? members : own).map(({ endpoint }) => endpoint),
          directory,
          flags: [
            `--cache-check-interval=${cacheCheckMs}ms`,
            ...(given.workers ? [`--workers=${given.workers}`] : []),
            ...(given.flags ?? []),
          ],
          openFiles: given.openFiles,
          host: network?.hosts[memberCount + i],
          ...(given.ownClocks === true ? steppedClock(clockFile(directory, i)) : {}),
        }),
      );
    }
    const partitions = network
      ? networkPartitions(new Map([...members, ...servers].map((place, i) => [place, network.hosts[i]])), network)
      : proxyPartitions({ servers, members, ways });
    const stepClock = (server: number, offsetMs: number): Promise<void> =>
      writeFile(clockFile(directory, server), String(offsetMs));
    return { members, referees, servers, ways, partitions, disk, stepClock, etcd, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

function clockFile(directory: string, server: number): string {
  return path.join(directory, `clock-${server}`);
}

const clockProgram = new URL('stepped-clock.js', import.meta.url).href;

function steppedClock(file: string): Pick<ServerProcessOptions, 'nodeArguments' | 'environment'> {
  return { nodeArguments: ['--import', clockProgram], environment: { ...process.env, STEPPED_CLOCK: file } };
}

async function smallDisk(folder: string): Promise<SmallDisk | undefined> {
  try {
    return await openSmallDisk(folder);
  } catch (error) {
    console.warn(
      `NO MOUNTS HERE (${error instanceof Error ? error.message.trim() : String(error)}): no disk is filled`,
    );
    return undefined;
  }
}

/** Says it loudly where the machine does not permit one, for what runs instead proves less. */
async function privateNetwork(hosts: number): Promise<PrivateNetwork | undefined> {
  try {
    return await openPrivateNetwork(hosts);
  } catch (error) {
    const why = error instanceof Error ? error.message.trim() : String(error);
    console.warn(
      `NO NETWORK NAMESPACES HERE (${why}): networks are broken by proxies, and members of etcd are stopped`,
    );
    return undefined;
  }
}
