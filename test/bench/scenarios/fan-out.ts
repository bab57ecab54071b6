import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configMap, configMapsPath, ensureNamespace } from '../collection.ts';
import type { Figures } from '../figures.ts';
import { type ApiServer, type Subject, withClients } from '../lab.ts';
import type { HttpClient } from '../load/http-client.ts';
import { connectWatchers, totals, type Watcher } from '../load/watcher.ts';
import { cpuSeconds, residentBytes } from '../process-usage.ts';
import { eachOf, press } from '../load/press.ts';
import { answerOf, type Bench, compare, type Measures, type Scenario } from './scenario.ts';

const watcherCounts: readonly number[] = [200, 1_000];
const writers = 8;
const objects = 64;
const collection = configMapsPath('bench-fan-out');

/**
 * Events delivered to many watchers of one collection. The writes that cause them are paid for by a run without watchers, whose
 * cost is taken off. The bare program writes the same frames, as many in one piece as this server did on average.
 */
export const fanOut: Scenario = {
  name: 'fan-out',
  async run(bench) {
    for (const server of bench.lab.servers) await prepare(server);
    const object = (await answerOf(bench.lab.ours, `${collection}/object-0`)).toString().trim();
    const frameFile = path.join(bench.lab.directory, 'frame');
    await writeFile(frameFile, `{"type":"MODIFIED","object":${object}}\n`);
    for (const count of watcherCounts) await measureOne(bench, count, frameFile);
  },
};

async function measureOne({ lab, report }: Bench, count: number, frameFile: string): Promise<void> {
  const { rounds, seconds } = lab.settings;
  const bare = await lab.startBare('frames', frameFile);
  const closers: (() => void)[] = [];
  let batch = 1;
  const measures: Measures = {};
  for (const server of lab.servers) {
    const idle = await withWriters(server, (clients) => update(server, clients, seconds));
    const watchers = await watching(server, count);
    closers.push(() => watchers.forEach((watcher) => watcher.close()));
    Object.assign(measures, {
      [server.contender]: async () => {
        const delivery = await deliver(server, watchers, seconds, idle.cpuMicros ?? 0);
        if (server.contender === 'ours') batch = Math.max(1, Math.round(delivery.batch));
        return delivery.figures;
      },
    });
  }
  const bareWatchers = await connectWatchers(bare, count);
  closers.push(() => bareWatchers.forEach((watcher) => watcher.close()));
  for (const watcher of bareWatchers) await watcher.start('/watch');
  const figures = await compare(rounds, 'cpuMicros', {
    ...measures,
    bare: () => broadcast(bare, bareWatchers, batch, seconds),
  });
  const note = `${batch} events a piece; ops are delivered events`;
  report({ scenario: `fan-out, ${count} watchers`, figures, compared: 'cpuMicros', bar: 1.6, note });
  for (const close of closers) close();
  await lab.stopSubject(bare);
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

async function watching(server: ApiServer, count: number): Promise<Watcher[]> {
  const list = await answerOf(server, `${collection}?limit=1`);
  const revision = /"resourceVersion":"(\d+)"/.exec(list.toString())?.[1] ?? '0';
  const watchers = await connectWatchers(server, count);
  const target = `${collection}?watch=1&resourceVersion=${revision}&timeoutSeconds=3000`;
  await eachOf(count, 50, async (index) => watchers[index]?.start(target));
  return watchers;
}

function withWriters<T>(server: ApiServer, work: (clients: readonly HttpClient[]) => Promise<T>): Promise<T> {
  return withClients(server, writers, work);
}

function update(server: ApiServer, clients: readonly HttpClient[], seconds: number): Promise<Figures> {
  return press({ pid: server.pid, clients: writers, seconds }, async (client, turn) => {
    const name = `object-${turn % objects}`;
    const body = configMap(name, {}, `${turn} ${Date.now()} `);
    await clients[client]?.send({ method: 'PUT', path: `${collection}/${name}`, body });
  });
}

interface Delivery {
  readonly figures: Figures;
  /** Events that came in one piece, on average. */
  readonly batch: number;
}

async function deliver(
  server: ApiServer,
  watchers: readonly Watcher[],
  seconds: number,
  updateMicros: number,
): Promise<Delivery> {
  return withWriters(server, async (clients) => {
    const before = totals(watchers);
    const cpuBefore = cpuSeconds(server.pid);
    const start = performance.now();
    let updates = 0;
    const end = start + seconds * 1000;
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() < end) {
          const name = `object-${updates++ % objects}`;
          const body = configMap(name, {}, `${updates} ${Date.now()} `);
          await client.send({ method: 'PUT', path: `${collection}/${name}`, body });
        }
      }),
    );
    const wanted = before.events + updates * watchers.length;
    for (let waited = 0; totals(watchers).events < wanted && waited < 200; waited++) await sleep(20);
    const elapsed = (performance.now() - start) / 1000;
    const { events, pieces } = totals(watchers);
    const delivered = events - before.events;
    const cpu = (cpuSeconds(server.pid) - cpuBefore) * 1e6 - updates * updateMicros;
    return {
      batch: delivered / Math.max(1, pieces - before.pieces),
      figures: {
        operationsPerSecond: delivered / elapsed,
        cpuMicros: cpu / delivered,
        residentBytes: residentBytes(server.pid),
      },
    };
  });
}

async function broadcast(
  bare: Subject,
  watchers: readonly Watcher[],
  batch: number,
  seconds: number,
): Promise<Figures> {
  return withClients(bare, 1, async ([client]) => {
    const before = totals(watchers).events;
    const cpuBefore = cpuSeconds(bare.pid);
    const start = performance.now();
    while (performance.now() < start + seconds * 1000) {
      await client?.send({ path: `/emit?ticks=10&batch=${batch}` });
    }
    const elapsed = (performance.now() - start) / 1000;
    await sleep(300);
    const delivered = totals(watchers).events - before;
    const cpuMicros = ((cpuSeconds(bare.pid) - cpuBefore) / delivered) * 1e6;
    return { operationsPerSecond: delivered / elapsed, cpuMicros, residentBytes: residentBytes(bare.pid) };
  });
}
