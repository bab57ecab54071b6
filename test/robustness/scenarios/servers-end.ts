import { pause, rounds, type Scenario } from '../scenario.ts';

/** F21: each write is there or is not, and clients find their place again. */
export const serverIsKilled: Scenario = {
  name: 'when the server is killed in the midst of writes',
  given: {},
  errorsExpected: true,
  fault: async (context) => {
    const [server] = context.servers;
    for (let round = 0; round < rounds(6, context); round++) {
      await server?.kill();
      await server?.start();
      await pause(context.random.between(500, 2_000));
    }
  },
};

/** P32: a server that is stopped in order finishes what it has begun. */
export const serverIsStopped: Scenario = {
  name: 'when the server is stopped and started by an administrator',
  given: {},
  errorsExpected: true,
  fault: async (context) => {
    const [server] = context.servers;
    for (let round = 0; round < rounds(3, context); round++) {
      await server?.stop();
      await server?.start();
      await pause(1_500);
    }
  },
};

/** F23: late answers, but true ones. */
export const serverStandsStill: Scenario = {
  name: 'when the server stands still for seconds',
  given: {},
  errorsExpected: true,
  fault: async (context) => {
    const [server] = context.servers;
    for (let round = 0; round < rounds(4, context); round++) {
      server?.pause();
      await pause(2_000);
      server?.resume();
      await pause(1_500);
    }
  },
};

/** F24: clients that use both servers for every request see one system. */
export const twoServers: Scenario = {
  name: 'when clients are spread over two servers',
  given: { servers: 2 },
  races: true,
  rate: 200,
  fault: ({ scale }) => pause(20_000 * scale),
};

/** P19: the one that lags waits, or says that it does; nobody sees time go back. */
export const oneServerLags: Scenario = {
  name: 'when one of two servers is cut off from etcd for a while',
  given: { servers: 2 },
  errorsExpected: true,
  fault: async (context) => {
    const ways = context.ways[1] ?? [];
    for (let round = 0; round < rounds(5, context); round++) {
      for (const way of ways) way.interrupt();
      await pause(2_000);
      for (const way of ways) way.mend();
      await pause(2_000);
    }
  },
};

/** F24 with F21: what one server acknowledged the other has. */
export const oneServerIsKilled: Scenario = {
  name: 'when one of two servers is killed',
  given: { servers: 2 },
  races: true,
  errorsExpected: true,
  fault: async (context) => {
    for (let round = 0; round < rounds(4, context); round++) {
      const server = context.random.pick(context.servers);
      await server.kill();
      await pause(1_000);
      await server.start();
      await pause(1_500);
    }
  },
};
