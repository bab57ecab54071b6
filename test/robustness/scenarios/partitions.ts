import type { EtcdMember } from '../etcd-members.ts';
import { leaderOf } from '../leader-of.ts';
import { type FaultContext, pause, rounds, type Scenario } from '../scenario.ts';
import { anyReadsAreAnswered } from './etcd-stands-still.ts';
import { probeWrites, type Probe } from './probe-writes.ts';

/** Longer than the others take to elect. */
const partedMs = 9_000;
/** Longer than a server takes to find that its member is silent (nine seconds), and a write after that. */
const partedFromServerMs = 14_000;
const healedMs = 2_500;

/** F8: nobody is told that the network is gone; it is found out by keepalives and deadlines. */
export const etcdIsParted: Scenario = {
  name: 'when packets between server and etcd are dropped, in both directions or in one',
  given: { ownHosts: true },
  errorsExpected: true,
  fault: async (context) => {
    const { members, servers, partitions, scale } = context;
    const [member] = members;
    const [server] = servers;
    if (!member || !server) return;
    const cases: readonly (readonly [number, () => Promise<void>])[] = [
      [2_000, () => partitions.part(server, member)],
      // The requests arrive and the answers are lost: writes happen, and nobody learns of it.
      [3_000, () => partitions.partOneWay(member, server)],
      [3_000, () => partitions.partOneWay(server, member)],
      [14_000, () => partitions.part(server, member)],
    ];
    for (const [ms, part] of scale < 1 ? cases.slice(0, 2) : cases) {
      await part();
      await pause(ms / 2);
      await anyReadsAreAnswered(context);
      await pause(ms / 2);
      await partitions.heal();
      await pause(healedMs);
    }
  },
};

/**
 * F9, P1: the old leader and a server that reaches nobody else are parted from the majority. What the majority acknowledges
 * meanwhile, reads of that server must not miss: they fail or wait.
 */
export const leaderIsParted: Scenario = {
  name: 'when the leader and its server are parted from the majority',
  given: { members: 3, servers: 2, ownHosts: true },
  errorsExpected: true,
  fault: async (context) => {
    const { servers, partitions, report } = context;
    const [near, far] = servers;
    if (!near || !far) return;
    for (let round = 0; round < rounds(2, context); round++) {
      const { leader, others } = await leaderAndOthers(context);
      for (const other of others) {
        await partitions.part(leader, other);
        await partitions.part(near, other);
      }
      await partitions.part(far, leader);
      const probe = await probeWrites({ write: far, read: near, ms: partedFromServerMs });
      await partitions.heal();
      reportProbe(report, probe);
      await pause(healedMs);
    }
  },
};

function reportProbe(report: FaultContext['report'], { acknowledged, fresh, stale }: Probe): void {
  if (acknowledged === 0) report({ promise: 'P1', message: 'the majority took no write while the leader was parted' });
  for (const message of stale) report({ promise: 'P1', message });
  if (fresh > 0) report({ promise: 'void', message: `${fresh} reads crossed the partition` });
}

/** F9: its watch has to end and go on elsewhere, for it lives and says nothing. */
export const followersAreParted: Scenario = {
  name: 'when one member after the other is parted from its peers',
  given: { members: 3, ownHosts: true },
  errorsExpected: true,
  fault: async (context) => {
    const { members, partitions } = context;
    for (const member of members.slice(0, rounds(3, context))) {
      for (const other of members) if (other !== member) await partitions.part(member, other);
      await pause(partedMs / 3);
      await partitions.heal();
      await pause(healedMs);
    }
  },
};

/** A leader that hears nobody steps down; one that nobody hears is voted out. */
export const leaderIsHalfParted: Scenario = {
  name: 'when the leader hears the others and they do not hear it, and the reverse',
  given: { members: 3, ownHosts: true },
  races: true,
  errorsExpected: true,
  fault: async (context) => {
    const { partitions } = context;
    for (let round = 0; round < rounds(4, context); round++) {
      const { leader, others } = await leaderAndOthers(context);
      for (const other of others) {
        await (round % 2 === 0 ? partitions.partOneWay(leader, other) : partitions.partOneWay(other, leader));
      }
      await pause(partedMs / 3);
      await partitions.heal();
      await pause(healedMs);
    }
  },
};

/** F11 by the network: nobody has a majority, and all go on when it is back. */
export const membersAreParted: Scenario = {
  name: 'when every member is parted from every other',
  given: { members: 3, ownHosts: true },
  errorsExpected: true,
  fault: async (context) => {
    const { members, partitions } = context;
    for (let round = 0; round < rounds(2, context); round++) {
      for (const [i, member] of members.entries()) {
        for (const other of members.slice(i + 1)) await partitions.part(member, other);
      }
      await pause(partedMs / 3);
      await anyReadsAreAnswered(context);
      await pause(partedMs / 3);
      await partitions.heal();
      await pause(healedMs);
    }
  },
};

async function leaderAndOthers(
  context: FaultContext,
): Promise<{ readonly leader: EtcdMember; readonly others: readonly EtcdMember[] }> {
  const leader = await leaderOf(context.members);
  if (!leader) throw new Error('no member leads');
  return { leader, others: context.members.filter((member) => member !== leader) };
}
