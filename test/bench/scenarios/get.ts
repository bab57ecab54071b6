import { paths } from '../collection.ts';
import type { HttpVersion } from '../load/http-client.ts';
import { answerOf, type Bench, compare, ofServers, pressHttp, type Scenario } from './scenario.ts';

const kinds: readonly { readonly title: string; readonly path: string; readonly bar: number }[] = [
  { title: 'consistent', path: paths.object, bar: 1.8 },
  { title: 'rv=0', path: `${paths.object}?resourceVersion=0`, bar: 1.5 },
];
const versions: readonly HttpVersion[] = ['http1', 'http2'];
const clientCounts: readonly number[] = [1, 8, 32];

/** GET of one object, beside a minimal Koa handler that answers the same bytes. */
export const get: Scenario = {
  name: 'get',
  async run(bench) {
    await bench.fill();
    await bench.lab.keepAnswer('object', await answerOf(bench.lab.ours, paths.object));
    for (const version of versions) {
      for (const kind of kinds)
        for (const clients of clientCounts) await measureOne(bench, { version, clients, ...kind });
    }
  },
};

interface GetCase {
  readonly version: HttpVersion;
  readonly clients: number;
  readonly title: string;
  readonly path: string;
  readonly bar: number;
}

async function measureOne(
  { lab, bareAnswers, report }: Bench,
  { version, clients, title, path, bar }: GetCase,
): Promise<void> {
  const load = { clients, seconds: lab.settings.seconds, version };
  const figures = await compare(lab.settings.rounds, 'cpuMicros', {
    ...ofServers(lab, (server) => pressHttp(server, load, () => ({ path }))),
    bare: pressHttp(await bareAnswers(), load, () => ({ path: '/koa/object' })),
  });
  report({ scenario: `get ${title}, ${version}, ${clients} clients`, figures, compared: 'cpuMicros', bar });
}
