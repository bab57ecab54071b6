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
