import { configMap, paths } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type ApiServer, withClients } from '../lab.ts';
import { press } from '../load/press.ts';
import { connectWatchers, totals } from '../load/watcher.ts';
import { responseOf, compare, ofServers, type Scenario } from './scenario.ts';

const informers = 50;
const writers = 8;

/** 50 informers list a namespace, follow it, and list anew now and then, while 8 clients update its objects. */
export const mixed: Scenario = {
  name: 'informers',
  async run({ lab, fill, report }) {
    await fill();
    const { rounds, seconds } = lab.settings;
    const figures = await compare(
      rounds,
      'cpuMicros',
      ofServers(lab, (server) => () => run(server, seconds)),
    );
    const note = 'an operation is an update, with all that it causes';
    report({ scenario: `informers, ${informers}`, figures, compared: 'cpuMicros', note });
  },
};

async function run(server: ApiServer, seconds: number): Promise<Figures> {
  const watchers = await connectWatchers(server, informers);
  const followed = Promise.all(
    watchers.map(async (watcher) => {
      const head = (await responseOf(server, `${paths.namespace}?resourceVersion=0`)).toString('latin1', 0, 500);
      const revision = /"resourceVersion":"(\d+)"/.exec(head)?.[1] ?? '0';
      await watcher.start(`${paths.namespace}?watch=1&resourceVersion=${revision}&timeoutSeconds=3000`);
    }),
  );
  const stop = new AbortController();
  const relist = async (): Promise<void> => {
    while (!stop.signal.aborted) await responseOf(server, `${paths.namespace}?resourceVersion=0`);
  };
  const lists = followed.then(relist);
  const figures = await withClients(server, writers, (clients) =>
    press({ pid: server.pid, clients: writers, seconds }, async (client, turn) => {
      // Objects of one namespace are ten apart.
      const name = `object-${(turn % 64) * 10 + 3}`;
      const body = configMap(name, {}, `${turn} ${Date.now()} `);
      await clients[client]?.send({ method: 'PUT', path: `${paths.namespace}/${name}`, body });
    }),
  );
  stop.abort();
  await lists;
  if (totals(watchers).events === 0) throw new Error('the informers saw nothing');
  for (const watcher of watchers) watcher.close();
  return figures;
}
