import { record } from '../record-operation.ts';
import { type FaultContext, pause, rounds, type Scenario } from '../scenario.ts';

/** Takes history away, once the referees have it and the history of clients says so. */
async function compact(context: FaultContext, revision: number): Promise<void> {
  await context.refereed(revision);
  context.history.compactedTo = Math.max(context.history.compactedTo, revision);
  await context.etcd.compact(revision);
}

/** F12, F13, F15: what is gone is 410, between the pages of a list too; everything else goes on. */
export const historyIsTakenAway: Scenario = {
  name: 'when etcd is compacted close behind everybody, five times a second',
  given: { flags: ['--watch-history=200ms'] },
  met: ({ operations, watches }) =>
    operations.some(({ status }) => status === 410) && watches.some(({ status }) => status === 410),
  fault: async (context) => {
    const end = performance.now() + 20_000 * context.scale;
    while (performance.now() < end) {
      await compact(context, Math.max(1, context.knowledge.head - context.random.between(0, 40)));
      await pause(200);
    }
  },
};

/** F14: the server's own watch cannot go on; deletions that it never saw must not live on in its cache. */
export const historyIsLostToTheServer: Scenario = {
  name: 'when etcd is compacted ahead of the watch of the server',
  given: {},
  met: ({ watches }) => watches.some(({ errorCode }) => errorCode === 410),
  errorsExpected: true,
  fault: async (context) => {
    for (let round = 0; round < rounds(5, context); round++) {
      for (const way of context.ways.flat()) way.cut();
      await deleteSome(context);
      const revision = await context.etcd.revision();
      await compact(context, revision);
      await pause(200);
      for (const way of context.ways.flat()) way.mend();
      await pause(2_500);
    }
  },
};

/** Deletes objects behind the back of the server. */
async function deleteSome({ etcd, history }: FaultContext): Promise<void> {
  const prefix = '/registry/configmaps/';
  const { values } = await etcd.range(prefix);
  for (const { key, revision } of values.slice(0, 3)) {
    // The history has it as a deletion of which nobody knows the outcome.
    await record({ name: 'fault', history }, { verb: 'delete', key: key.slice(prefix.length) }, async () => {
      await etcd.delete(key, revision);
      return { outcome: 'unknown', status: 504 };
    });
  }
}

/** P26: two servers compact once an interval between them. */
export const serversCompact: Scenario = {
  name: 'when two servers compact the same etcd every second',
  given: { servers: 2, flags: ['--etcd-compaction-interval=1s'] },
  fault: async (context) => {
    const [referee] = context.referees;
    // The servers compact to where they were a second ago at the latest, which nobody tells the history.
    context.history.compactedTo = Number.MAX_SAFE_INTEGER;
    const marks = (): number => referee?.raw().filter(({ key }) => key === '/registry/~/compaction').length ?? 0;
    const before = marks();
    const seconds = rounds(20, context);
    await pause(seconds * 1_000);
    const made = marks() - before;
    if (made > seconds + 1 || made < seconds / 2 - 1) {
      context.report({ promise: 'P26', message: `${made} compactions in ${seconds} s` });
    }
  },
};
