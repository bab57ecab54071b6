import { openRawWatch } from '../raw-watch.ts';
import { becomesTrue } from '../until.ts';
import { type FaultContext, pause, rounds, type Scenario } from '../scenario.ts';

async function again(context: FaultContext, end: 'kill' | 'stop'): Promise<void> {
  const [member] = context.members;
  for (let round = 0; round < rounds(5, context); round++) {
    await member?.[end]();
    await pause(context.random.between(0, 1_500));
    await member?.start();
    await pause(context.random.between(1_500, 3_500));
  }
}

/** F1: acknowledged writes stay, unknown ones are told as such, and watches go on where they were. */
export const etcdIsKilled: Scenario = {
  name: 'when etcd is killed and comes back, again and again',
  given: {},
  races: true,
  errorsExpected: true,
  fault: (context) => again(context, 'kill'),
};

/** F2 */
export const etcdIsRestarted: Scenario = {
  name: 'when etcd is stopped and started by an administrator',
  given: {},
  errorsExpected: true,
  fault: (context) => again(context, 'stop'),
};

/** F20: the server says that it is not ready, ends the watches with 410 and believes nothing of what it knew. */
export const etcdIsRestored: Scenario = {
  name: 'when etcd is restored from a backup',
  given: {},
  errorsExpected: true,
  changesThePast: true,
  fault: async (context) => {
    const { client, knowledge, members, report } = context;
    await members[0]?.save();
    await pause(2_000);
    const watch = await openRawWatch(client.address, '/api/v1/configmaps?watch=1');
    const before = knowledge.head;
    await members[0]?.restore();
    const ended = await becomesTrue(() => watch.ended());
    if (!ended || watch.events.at(-1) !== 'ERROR 410') {
      report({ promise: 'P15', message: `an open watch was told ${watch.events.at(-1)} when the past was changed` });
    }
    await becomesTrue(async () => (await client.send('GET', '/readyz')).status === 200);
    const future = await client.send('GET', `/api/v1/configmaps?resourceVersion=${before + 10_000}`);
    if (future.status !== 504) report({ promise: 'P16', message: `a lost revision was answered ${future.status}` });
    await pause(2_000);
  },
};
