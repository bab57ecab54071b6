import { leaderOf } from '../leader-of.ts';
import { pause, rounds, type Scenario } from '../scenario.ts';

/** F3: a gap while the others elect; nothing is written twice, nothing acknowledged is lost. */
export const leaderIsKilled: Scenario = {
  name: 'when the leader of three members is killed',
  given: { members: 3 },
  races: true,
  errorsExpected: true,
  fault: async (context) => {
    for (let round = 0; round < rounds(3, context); round++) {
      const leader = await leaderOf(context.members);
      await leader?.kill();
      await pause(4_000);
      await leader?.start();
      await pause(3_000);
    }
  },
};

/** F7: a leader that wakes up may answer from the past once. */
export const leaderStandsStill: Scenario = {
  name: 'when the leader of three members stands still',
  given: { members: 3 },
  races: true,
  errorsExpected: true,
  fault: async (context) => {
    for (let round = 0; round < rounds(3, context); round++) {
      const leader = await leaderOf(context.members);
      leader?.pause();
      await pause(5_000);
      leader?.resume();
      await pause(3_000);
    }
  },
};

/** F5: a server goes on with another member when its own is killed or out of reach. */
export const memberIsOutOfReach: Scenario = {
  name: 'when one member after the other is out of reach of the server',
  given: { members: 3 },
  errorsExpected: true,
  fault: async (context) => {
    const ways = context.ways[0] ?? [];
    for (const way of ways.slice(0, rounds(3, context))) {
      way.interrupt();
      await pause(4_000);
      way.mend();
      await pause(1_500);
    }
  },
};

/** F11: without a majority nothing is written, and what asks for no freshness is still answered. */
export const majorityIsLost: Scenario = {
  name: 'when two of three members are gone',
  given: { members: 3 },
  errorsExpected: true,
  fault: async (context) => {
    const [first, second] = context.members;
    await Promise.all([first?.kill(), second?.kill()]);
    await pause(3_000);
    const list = await context.client.send('GET', '/api/v1/configmaps?resourceVersion=0');
    if (list.status !== 200) context.report({ promise: 'P16', message: `a list at 0 was answered ${list.status}` });
    const live = await context.client.send('GET', '/livez?exclude=etcd');
    if (live.status !== 200) context.report({ promise: 'P29', message: `/livez was answered ${live.status}` });
    await pause(4_000 * context.scale);
    await Promise.all([first?.start(), second?.start()]);
    await pause(3_000);
  },
};
