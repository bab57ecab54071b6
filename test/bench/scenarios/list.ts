import { paths } from '../collection.ts';
import { type ApiServer } from '../lab.ts';
import { responseOf, type Bench, compare, ofServers, pressHttp, type Scenario } from './scenario.ts';
import { withClients } from '../lab.ts';
import { press } from '../load/press.ts';
import type { Figures } from '../figures.ts';

const pageLimit = 500;

/** LIST in its forms, beside `res.end(buffer)` of the same bytes. */
export const lists: readonly Scenario[] = [
  scenario('list-all', paths.all, 1.5),
  scenario('list-rv0', `${paths.all}?resourceVersion=0`, 1.5),
  scenario('list-label', paths.labelled, 2),
  scenario('list-namespace', paths.namespace, 2),
  {
    name: 'list-pages',
    async run(bench) {
      await bench.fill();
      await bench.lab.keepResponse('page', await responseOf(bench.lab.ours, `${paths.all}?limit=${pageLimit}`));
      await measureOne(bench, 'list-pages', 2, 'page', (server) => () => pages(server, bench.lab.settings.seconds));
    },
  },
];

function scenario(name: string, path: string, bar: number): Scenario {
  return {
    name,
    async run(bench) {
      await bench.fill();
      await bench.lab.keepResponse(name, await responseOf(bench.lab.ours, path));
      await measureOne(bench, name, bar, name, (server) => pressHttp(server, load(bench), () => ({ path })));
    },
  };
}

function load({ lab }: Bench): { readonly clients: number; readonly seconds: number } {
  return { clients: 2, seconds: lab.settings.seconds };
}

async function measureOne(
  bench: Bench,
  title: string,
  bar: number,
  name: string,
  measure: (server: ApiServer) => () => Promise<Figures>,
): Promise<void> {
  const { lab, bareResponses, report } = bench;
  const figures = await compare(lab.settings.rounds, 'cpuMicros', {
    ...ofServers(lab, measure),
    bare: pressHttp(await bareResponses(), load(bench), () => ({ path: `/raw/${name}` })),
  });
  report({ scenario: title, figures, compared: 'cpuMicros', bar });
}

const continueField = /"continue":"([^"]*)"/;

/** Two clients that read the collection page by page, again and again; one page is one operation. */
function pages(server: ApiServer, seconds: number): Promise<Figures> {
  return withClients(server, 2, (clients) => {
    const tokens = ['', ''];
    return press({ pid: server.pid, clients: 2, seconds }, async (client) => {
      const token = tokens[client] ? `&continue=${encodeURIComponent(tokens[client])}` : '';
      const body = await clients[client]?.send({ path: `${paths.all}?limit=${pageLimit}${token}` });
      // The token stands in the list's metadata, in front of the items.
      tokens[client] = continueField.exec(body?.toString('latin1', 0, 2000) ?? '')?.[1] ?? '';
    });
  });
}
