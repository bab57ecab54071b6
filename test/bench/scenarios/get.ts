import { paths } from '../collection.ts';
import type { HttpVersion } from '../load/http-client.ts';
import { responseOf, type Bench, compare, ofServers, pressHttp, type Scenario } from './scenario.ts';

const clientCounts: readonly number[] = [1, 8, 32];

const cachedPath = `${paths.object}?resourceVersion=0`;

/** One kind of GET. */
interface GetCase {
  readonly name: string;
  readonly version: HttpVersion;
  readonly path: string;
  readonly barePath: string;
  readonly bar?: number;
}

const cases: readonly GetCase[] = [
  { name: 'get-http1', version: 'http1', path: paths.object, barePath: '/koa/object', bar: 1.8 },
  // What a consistent GET costs beside the least that keeps its promise: few clients cannot be held to a handler that asks nobody.
  { name: 'get-asking-http1', version: 'http1', path: paths.object, barePath: '/asking/object', bar: 1.8 },
  { name: 'get-rv0-http1', version: 'http1', path: cachedPath, barePath: '/koa/object', bar: 1.5 },
  { name: 'get-http2', version: 'http2', path: paths.object, barePath: '/koa/object', bar: 1.8 },
  { name: 'get-asking-http2', version: 'http2', path: paths.object, barePath: '/asking/object', bar: 1.8 },
  { name: 'get-rv0-http2', version: 'http2', path: cachedPath, barePath: '/koa/object', bar: 1.5 },
];

/** GET of one object, beside a minimal Koa handler that answers the same bytes. */
export const gets: readonly Scenario[] = cases.map((get) => ({
  name: get.name,
  async run(bench) {
    await bench.fill();
    await bench.lab.keepResponse('object', await responseOf(bench.lab.ours, paths.object));
    for (const clients of clientCounts) await measureOne(bench, get, clients);
  },
}));

async function measureOne(
  { lab, bareResponses, report }: Bench,
  { name, version, path, barePath, bar }: GetCase,
  clients: number,
): Promise<void> {
  const load = { clients, seconds: lab.settings.seconds, version };
  const figures = await compare(lab.settings.rounds, 'cpuMicros', {
    ...ofServers(lab, (server) => pressHttp(server, load, () => ({ path }))),
    bare: pressHttp(await bareResponses(), load, () => ({ path: barePath })),
  });
  report({
    scenario: `${name}, ${clients} client${clients > 1 ? 's' : ''}`,
    figures,
    compared: 'cpuMicros',
    ...(bar ? { bar } : {}),
  });
}
