import assert from 'node:assert/strict';
import type { StoreEvent } from '../../../src/storage/port/object-store.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { serveObjectStore } from '../../../src/server/serve-object-store.ts';
import { startServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { openWatch } from './open-watch.ts';
import { configMaps, createConfigMap, listOf } from './world.ts';

/** Keeps some of its events to itself, as a store with a bug would. */
class SilentStore extends MemoryStore {
  tells: (event: StoreEvent) => boolean = () => true;

  override async *watch(...args: Parameters<MemoryStore['watch']>): ReturnType<MemoryStore['watch']> {
    for await (const batch of super.watch(...args)) yield { ...batch, events: batch.events.filter(this.tells) };
  }
}

const series = (status: string): string =>
  `apiserver_storage_consistency_checks_total{group="",resource="configmaps",status="${status}"}`;

describe('a server that compares its cache with the store', function () {
  it('counts it where both are the same', async () => {
    await using server = await startServer({ cacheCheckIntervalMs: 10 });
    await createConfigMap(server, 'one');
    await request(server, 'GET', configMaps);
    await until('a comparison', async () => ((await readMetrics(server)).get(series('success')) ?? 0) > 2);
    const metrics = await readMetrics(server);
    assert.deepEqual([metrics.get(series('failure')), metrics.get(series('error'))], [0, 0]);
  });

  it('detects a deletion that it missed: counts it, is not ready, ends watches with 410, and recovers', async () => {
    const store = new SilentStore();
    await using served = { ...(await serveObjectStore(store, '127.0.0.1:0')), [Symbol.asyncDispose]: () => close() };
    const close = (): Promise<void> => served.close();
    await using server = await startServer({
      store: { kind: 'remote', endpoint: served.endpoint },
      cacheCheckIntervalMs: 100,
    });
    for (const name of ['stays', 'goes']) await createConfigMap(server, name);
    const watch = await openWatch(server, `${configMaps}?watch=1`);
    await until('the state', () => watch.events.length === 2);
    store.tells = (event) => event.type === 'put';
    const readiness: number[] = [];
    const probing = (async () => {
      while (!readiness.includes(500) || readiness.at(-1) !== 200) {
        readiness.push((await request(server, 'GET', '/readyz')).status);
      }
    })();
    await request(server, 'DELETE', `${configMaps}/goes`);
    await until('the watch to end', () => watch.events.at(-1)?.type === 'ERROR');
    assert.equal(watch.events.at(-1)?.object['code'], 410);
    await probing;
    const names = listOf(await request(server, 'GET', configMaps)).items.map(({ metadata }) => metadata.name);
    assert.deepEqual(names, ['stays']);
    assert.ok(((await readMetrics(server)).get(series('failure')) ?? 0) >= 1);
  });
});
