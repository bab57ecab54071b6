import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configMap, configMapsPath, ensureNamespace } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type ApiServer, registryPrefix, type Subject, withClients } from '../lab.ts';
import type { LoadTarget } from '../load/http-client.ts';
import { connectWatchers, totals, type Watcher } from '../load/watcher.ts';
import { cpuSeconds, residentBytes } from '../process-usage.ts';
import { eachOf } from '../load/press.ts';
import { responseOf, type Bench, compare, type Measures, type Scenario } from './scenario.ts';

const watcherCounts: readonly number[] = [200, 1_000];
const writers = 8;
const objects = 64;
const collection = configMapsPath('bench-fan-out');

/** Where the writes go that cause events, and what each of them costs the server under measurement besides. */
interface Writes {
  readonly to: Subject;
  readonly updateMicros: number;
}

/** How events came, on average: so many in a piece, and a piece so often. */
interface Rhythm {
  readonly batch: number;
  readonly pauseMs: number;
}

interface Delivery {
  readonly figures: Figures;
  readonly rhythm: Rhythm;
}

/**
 * Events delivered to many watchers of one collection. The writes that cause them go to a second server on the same etcd, so that
 * what the first spends is the price of its events, their way from etcd included. A peer has no second server: there the cost
 * of the updates without watchers is taken off. The bare program writes the same frames, as many in one piece and as often as this
 * server did, while the same writes go on: what the machine does besides makes every system call dearer.
 */
export const fanOut: Scenario = {
  name: 'fan-out',
  async run(bench) {
    const { lab } = bench;
    for (const server of lab.servers) await prepare(server);
    const object = (await responseOf(lab.ours, `${collection}/object-0`)).toString().trim();
    const frameFile = path.join(lab.directory, 'frame');
    await writeFile(frameFile, `{"type":"MODIFIED","object":${object}}\n`);
    const writer = await lab.startServer(registryPrefix);
    const bare = await lab.startBare('frames', frameFile);
    for (const count of watcherCounts) await measureOne(bench, count, bare, writer);
    await lab.stopSubject(bare);
    await lab.stopSubject(writer);
  },
};

async function measureOne({ lab, report }: Bench, count: number, bare: Subject, writer: Subject): Promise<void> {
  const { rounds, seconds } = lab.settings;
  let rhythm: Rhythm = { batch: 1, pauseMs: 1 };
  const measures: Measures = {};
  for (const server of lab.servers) {
    const ours = server.contender === 'ours';
    const writes: Writes = ours
      ? { to: writer, updateMicros: 0 }
      : { to: server, updateMicros: await priceOfUpdates(server, seconds) };
    Object.assign(measures, {
      [server.contender]: async () => {
        const target = await watchOf(server);
        const delivery = await withWatchers(server, target, count, (watchers) =>
          deliver(server, watchers, seconds, writes),
        );
        if (ours) rhythm = delivery.rhythm;
        return delivery.figures;
      },
    });
  }
  const figures = await compare(rounds, 'cpuMicros', {
    ...measures,
    bare: () => withWatchers(bare, '/watch', count, (watchers) => broadcast(bare, watchers, rhythm, seconds, writer)),
  });
  const note = `${rhythm.batch} events a piece; ops are delivered events`;
  report({ scenario: `fan-out, ${count} watchers`, figures, compared: 'cpuMicros', bar: 1.6, note });
}

async function prepare(server: ApiServer): Promise<void> {
  await ensureNamespace(server, 'bench-fan-out');
  await withClients(server, 1, ([client]) =>
    eachOf(objects, 1, async (index) => {
      const body = configMap(`object-${index}`);
      await client?.send({ method: 'POST', path: collection, body }).catch(() => {});
    }),
  );
}

/** A watch of the collection from now on. */
async function watchOf(server: ApiServer): Promise<string> {
  const list = await responseOf(server, `${collection}?limit=1`);
  const revision = /"resourceVersion":"(\d+)"/.exec(list.toString())?.[1] ?? '0';
  return `${collection}?watch=1&resourceVersion=${revision}&timeoutSeconds=3000`;
}

async function withWatchers<T>(
  place: LoadTarget,
  target: string,
  count: number,
  work: (watchers: readonly Watcher[]) => Promise<T>,
): Promise<T> {
  const watchers = await connectWatchers(place, count);
  try {
    await eachOf(count, 50, async (index) => watchers[index]?.start(target));
    return await work(watchers);
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

/** Of one update while nobody watches. */
async function priceOfUpdates(server: ApiServer, seconds: number): Promise<number> {
  const before = cpuSeconds(server.pid);
  const updates = await updateFor(server, seconds);
  return ((cpuSeconds(server.pid) - before) / updates) * 1e6;
}

/** Writes for so long; answers how often. */
async function updateFor(to: LoadTarget, seconds: number): Promise<number> {
  return withClients(to, writers, async (clients) => {
    let updates = 0;
    const end = performance.now() + seconds * 1000;
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() < end) {
          const name = `object-${updates++ % objects}`;
          const body = configMap(name, {}, `${updates} ${Date.now()} `);
          await client.send({ method: 'PUT', path: `${collection}/${name}`, body });
        }
      }),
    );
    return updates;
  });
}

async function deliver(
  server: ApiServer,
  watchers: readonly Watcher[],
  seconds: number,
  { to, updateMicros }: Writes,
): Promise<Delivery> {
  const cpuBefore = cpuSeconds(server.pid);
  const start = performance.now();
  const updates = await updateFor(to, seconds);
  const wanted = updates * watchers.length;
  for (let waited = 0; totals(watchers).events < wanted && waited < 200; waited++) await sleep(20);
  const elapsed = (performance.now() - start) / 1000;
  const { events, pieces } = totals(watchers);
  const cpu = (cpuSeconds(server.pid) - cpuBefore) * 1e6 - updates * updateMicros;
  return {
    rhythm: {
      batch: Math.max(1, Math.round(events / Math.max(1, pieces))),
      pauseMs: Math.round((elapsed * 1000 * watchers.length) / Math.max(1, pieces)),
    },
    figures: {
      operationsPerSecond: events / elapsed,
      cpuMicros: cpu / events,
      residentBytes: residentBytes(server.pid),
    },
  };
}

async function broadcast(
  bare: Subject,
  watchers: readonly Watcher[],
  { batch, pauseMs }: Rhythm,
  seconds: number,
  writer: Subject,
): Promise<Figures> {
  return withClients(bare, 1, async ([client]) => {
    const cpuBefore = cpuSeconds(bare.pid);
    const start = performance.now();
    const ticks = Math.max(1, Math.round((seconds * 1000) / pauseMs));
    const emitted = client?.send({ path: `/emit?ticks=${ticks}&batch=${batch}&pause=${pauseMs}` });
    await Promise.all([emitted, updateFor(writer, seconds)]);
    const elapsed = (performance.now() - start) / 1000;
    await sleep(300);
    const { events } = totals(watchers);
    const cpuMicros = ((cpuSeconds(bare.pid) - cpuBefore) / events) * 1e6;
    return { operationsPerSecond: events / elapsed, cpuMicros, residentBytes: residentBytes(bare.pid) };
  });
}
