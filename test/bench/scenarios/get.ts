import { paths } from '../collection.ts';
import type { HttpVersion } from '../load/http-client.ts';
import { answerOf, type Bench, compare, ofServers, pressHttp, type Scenario } from './scenario.ts';

const clientCounts: readonly number[] = [1, 8, 32];

/** GET of one object, beside a minimal Koa handler that answers the same bytes. */
export const gets: readonly Scenario[] = [
  scenario('get-http1', 'http1', paths.object, 1.8),
  scenario('get-rv0-http1', 'http1', `${paths.object}?resourceVersion=0`, 1.5),
  scenario('get-http2', 'http2', paths.object, 1.8),
  scenario('get-rv0-http2', 'http2', `${paths.object}?resourceVersion=0`, 1.5),
];

function scenario(name: string, version: HttpVersion, path: string, bar: number): Scenario {
  return {
    name,
    async run(bench) {
      await bench.fill();
      await bench.lab.keepAnswer('object', await answerOf(bench.lab.ours, paths.object));
      for (const clients of clientCounts) await measureOne(bench, { name, version, clients, path, bar });
    },
  };
}

interface GetCase {
  readonly version: HttpVersion;
  readonly clients: number;
  readonly name: string;
  readonly path: string;
  readonly bar: number;
}

async function measureOne(
  { lab, bareAnswers, report }: Bench,
  { name, version, clients, path, bar }: GetCase,
): Promise<void> {
  const load = { clients, seconds: lab.settings.seconds, version };
  const figures = await compare(lab.settings.rounds, 'cpuMicros', {
    ...ofServers(lab, (server) => pressHttp(server, load, () => ({ path }))),
    bare: pressHttp(await bareAnswers(), load, () => ({ path: '/koa/object' })),
  });
  report({ scenario: `${name}, ${clients} client${clients > 1 ? 's' : ''}`, figures, compared: 'cpuMicros', bar });
}
