import { askMember } from '../ask-member.ts';
import { leaderOf } from '../leader-of.ts';
import { openRawWatch } from '../raw-watch.ts';
import { measureRecovery } from '../recovery.ts';
import { type FaultContext, pause, rounds, type Scenario } from '../scenario.ts';
import { becomesTrue } from '../until.ts';
import type { Given } from '../world.ts';

/** Two servers of two processes each, on three members. */
const plane: Given = { members: 3, servers: 2, workers: 2 };

/** F3 with everything at once: each server finds the next leader, and all go on as one system. */
export const leaderIsLostRegularly: Scenario = {
  name: 'when the leader is lost every 20 s, under three servers with workers',
  given: { members: 3, servers: 3, workers: 2 },
  races: true,
  errorsExpected: true,
  fault: async (context) => {
    const recovery = await measureRecovery(context);
    for (let round = 0; round < rounds(4, context); round++) {
      const leader = await leaderOf(context.members);
      // By turns as by a crash and as by an administrator.
      await (round % 2 === 0 ? leader?.kill() : leader?.stop());
      await pause(4_000);
      await leader?.start();
      await recovery.after('a leader was lost');
      await pause(14_000 * context.scale);
    }
  },
};

/** F9: from the servers alone, from the other members alone, and from all. */
export const memberIsParted: Scenario = {
  name: 'when one member is parted from its clients, its peers or all, under servers with workers',
  given: { ...plane, ownHosts: true },
  errorsExpected: true,
  fault: async (context) => {
    const { members, servers, partitions } = context;
    const recovery = await measureRecovery(context);
    const partings = [
      { what: 'its clients', from: servers },
      { what: 'its peers', from: members },
      { what: 'all', from: [...servers, ...members] },
    ];
    for (const [index, { what, from }] of partings.slice(0, rounds(3, context)).entries()) {
      // The leader first: the others are followers then.
      const member = index === 0 ? await leaderOf(members) : members[index];
      if (!member) continue;
      for (const other of from) if (other !== member) await partitions.part(member, other);
      await pause(12_000 * Math.max(0.3, context.scale));
      await partitions.heal();
      await recovery.after(`a member was parted from ${what}`);
    }
  },
};

const standsStillMs = { least: 40, most: 400 };

/** F6 in small: a member that waits for its disk says nothing meanwhile, shorter than an election takes. */
export const disksAreSlow: Scenario = {
  name: 'when the disks of the members are slow',
  given: plane,
  races: true,
  errorsExpected: true,
  fault: async (context) => {
    const recovery = await measureRecovery(context);
    const end = performance.now() + 30_000 * context.scale;
    const slowDown = async (member: FaultContext['members'][number]): Promise<void> => {
      while (performance.now() < end) {
        member.pause();
        await pause(context.random.between(standsStillMs.least, standsStillMs.most));
        member.resume();
        await pause(context.random.between(10, standsStillMs.most));
      }
    };
    await Promise.all(context.members.map(slowDown));
    await recovery.after('the disks were slow');
  },
};

/** A member answers nothing while its file is written again. */
export const membersAreDefragmented: Scenario = {
  name: 'when one member after the other is defragmented under load',
  given: plane,
  errorsExpected: true,
  fault: async (context) => {
    const recovery = await measureRecovery(context);
    for (let round = 0; round < rounds(3, context); round++) {
      for (const { endpoint } of context.members) {
        await askMember(endpoint, 'maintenance/defragment', {}, 60_000);
        await pause(500);
      }
    }
    await recovery.after('the defragmentation');
  },
};

/**
 * A rolling upgrade. $ETCD_NEXT names the program of the next version, which takes over the data; without it the present
 * one is started again.
 */
export const membersAreUpgraded: Scenario = {
  name: 'when one member after the other is stopped for an upgrade',
  given: plane,
  errorsExpected: true,
  fault: async (context) => {
    const next = process.env['ETCD_NEXT'];
    if (!next) console.warn('NO NEXT ETCD HERE ($ETCD_NEXT): members are started again by the same program');
    const recovery = await measureRecovery(context);
    for (const member of context.members) {
      await member.restart(next);
      await recovery.after('a member was upgraded');
      await pause(2_000 * context.scale);
    }
  },
};

/** A machine is lost with its data, and another one takes its place. */
export const memberIsReplaced: Scenario = {
  name: 'when a member is replaced by one without data',
  given: plane,
  races: true,
  errorsExpected: true,
  fault: async (context) => {
    const recovery = await measureRecovery(context);
    for (const member of context.members.slice(0, rounds(2, context))) {
      await member.replace();
      await recovery.after('a member was replaced');
      await pause(3_000 * context.scale);
    }
  },
};

/** F20 on a cluster: each server ends the watches of each of its processes, and believes nothing of what it knew. */
export const clusterIsRestored: Scenario = {
  name: 'when a cluster of three is restored from a backup under running servers',
  given: plane,
  errorsExpected: true,
  changesThePast: true,
  fault: async ({ client, members, servers, report }) => {
    await Promise.all(members.map((member) => member.save()));
    await becomesTrue(async () => (await client.send('GET', '/readyz').catch(() => undefined))?.status === 200);
    await pause(2_000);
    // Two for each server: connections go to its processes by turns.
    const addresses = [...servers, ...servers];
    const watches = await Promise.all(addresses.map((one) => openRawWatch(one, '/api/v1/configmaps?watch=1')));
    await Promise.all(members.map((member) => member.restore()));
    for (const [index, watch] of watches.entries()) {
      const ended = await becomesTrue(() => watch.ended());
      if (ended && watch.events.at(-1) === 'ERROR 410') continue;
      const last = watch.events.at(-1);
      report({ promise: 'P15', message: `watch ${index} was told ${last} when the past was changed` });
    }
  },
};
