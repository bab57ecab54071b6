import { type FaultContext, pause, type Scenario } from '../scenario.ts';
import { becomesTrue } from '../until.ts';

/** While consistent reads wait for etcd, those that ask for no freshness are answered at once. */
export async function anyReadsAreAnswered({ client, report }: FaultContext): Promise<void> {
  const began = performance.now();
  const { status } = await client.send('GET', '/api/v1/configmaps?resourceVersion=0');
  const tookMs = performance.now() - began;
  if (status === 200 && tookMs < 2_000) return;
  report({
    promise: 'P16',
    message: `a list at resourceVersion=0 was answered ${status} after ${Math.round(tookMs)} ms`,
  });
}

/** F6: shorter and longer than the deadline of a call to etcd. */
export const etcdStandsStill: Scenario = {
  name: 'when etcd stands still',
  given: {},
  races: true,
  errorsExpected: true,
  fault: async (context) => {
    const [member] = context.members;
    for (const ms of [2_000, ...(context.scale < 1 ? [] : [5_000, 14_000])]) {
      member?.pause();
      await pause(ms / 2);
      await anyReadsAreAnswered(context);
      await pause(ms / 2);
      member?.resume();
      await pause(1_500);
    }
  },
};

/** F8 on every machine, without a network of its own: the connections stay, and nothing comes through. */
export const etcdIsUnreachable: Scenario = {
  name: 'when the network between server and etcd swallows everything',
  given: {},
  errorsExpected: true,
  fault: async (context) => {
    const [way] = context.ways.flat();
    for (const ms of [2_000, ...(context.scale < 1 ? [] : [6_000, 14_000])]) {
      way?.interrupt();
      await pause(ms / 2);
      await anyReadsAreAnswered(context);
      await pause(ms / 2);
      way?.mend();
      await pause(1_500);
    }
  },
};

/** F8 for the watch alone: reads go past the memory that stands still, and the server says by name that it does. */
export const watchBreaks: Scenario = {
  name: 'when the connection of the watch on etcd breaks alone, with an end or without a word',
  given: {},
  errorsExpected: true,
  fault: async ({ ways, client, report }) => {
    const [way] = ways.flat();
    for (const act of ['cutWatches', 'silenceWatches'] as const) {
      way?.[act]();
      const noticed = await becomesTrue(async () => {
        const { status } = await client.send('GET', '/readyz/storage-watch');
        return status === 500;
      });
      if (!noticed) report({ promise: 'P28', message: `/readyz does not notice the broken watch (${act})` });
      const { status } = await client.send('GET', '/readyz/etcd');
      if (status !== 200) report({ promise: 'P28', message: 'calls of etcd fail with the watch' });
      await pause(1_500);
      way?.mend();
      await pause(3_000);
    }
  },
};

/** P28: the stream is resumed each time, and readers notice nothing but a pause. */
export const connectionsBreak: Scenario = {
  name: 'when the connections to etcd break every 0.3 s',
  given: {},
  errorsExpected: true,
  fault: async (context) => {
    const end = performance.now() + 25_000 * context.scale;
    while (performance.now() < end) {
      for (const way of context.ways.flat()) way.cut();
      await pause(20);
      for (const way of context.ways.flat()) way.mend();
      await pause(300);
    }
  },
};
