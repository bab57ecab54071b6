import type { EtcdMember } from './etcd-members.ts';
import type { Host, PrivateNetwork } from './private-network.ts';
import type { ServerProcess } from './server-process.ts';
import type { TcpWay } from './tcp-way.ts';

/** What can be parted from others: a server, or a member of etcd. */
export type NetworkPeer = ServerProcess | EtcdMember;

/** Parts places from each other, and brings them together again. */
export interface Partitions {
  /** Nothing comes through from one place to the other any more; nobody is told. The other direction stays. */
  partOneWay(from: NetworkPeer, to: NetworkPeer): Promise<void>;
  /** Nothing comes through in either direction. */
  part(a: NetworkPeer, b: NetworkPeer): Promise<void>;
  heal(): Promise<void>;
}

/** Packets are dropped between the hosts on which the places run. */
export function networkPartitions(
  hosts: ReadonlyMap<NetworkPeer, Host | undefined>,
  network: Pick<PrivateNetwork, 'drop' | 'heal'>,
): Partitions {
  const hostOf = (place: NetworkPeer): Host => {
    const host = hosts.get(place);
    if (!host) throw new RangeError('there is no such place');
    return host;
  };
  const partOneWay = (from: NetworkPeer, to: NetworkPeer): Promise<void> => network.drop(hostOf(from), hostOf(to));
  return {
    partOneWay,
    async part(a, b) {
      await partOneWay(a, b);
      await partOneWay(b, a);
    },
    heal: () => network.heal(),
  };
}

interface ProxiedPlaces {
  readonly servers: readonly ServerProcess[];
  readonly members: readonly EtcdMember[];
  /** `ways[server][member]` */
  readonly ways: readonly (readonly TcpWay[])[];
}

/**
 * What can be done without a network of one's own: the proxy between a server and a member stops forwarding. Members have no
 * proxies between them; the first of two is stopped instead, so that it neither hears nor says anything.
 */
export function proxyPartitions({ servers, members, ways }: ProxiedPlaces): Partitions {
  const stopped = new Set<EtcdMember>();
  const stop = (member: EtcdMember): void => {
    stopped.add(member);
    member.pause();
  };
  const wayBetween = (server: NetworkPeer, member: NetworkPeer): TcpWay | undefined =>
    ways[servers.findIndex((one) => one === server)]?.[members.findIndex((one) => one === member)];
  const part = (from: NetworkPeer, to: NetworkPeer, both: boolean): void => {
    const there = wayBetween(from, to);
    const back = wayBetween(to, from);
    there?.interrupt(both ? 'both' : 'there');
    back?.interrupt(both ? 'both' : 'back');
    const [first] = there || back ? [] : members.filter((member) => member === from);
    if (first) stop(first);
  };
  return {
    partOneWay: async (from, to) => part(from, to, false),
    part: async (a, b) => part(a, b, true),
    async heal() {
      for (const way of ways.flat()) way.mend();
      for (const member of stopped) member.resume();
      stopped.clear();
    },
  };
}
