import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEtcdStore } from '../../../src/storage/etcd/etcd-store.ts';
import type { StoreEvent } from '../../../src/storage/port/object-store.ts';
import { StorageError } from '../../../src/storage/port/storage-error.ts';
import type { TestServer } from '../../../src/testing/index.ts';
import { startServer } from '../start-server.ts';
import { request } from '../../http/http-client.ts';
import { startTestEtcd } from '../local-store.ts';
import { configMaps, createConfigMap } from '../../http/reads/world.ts';
import { until } from '../../http/until.ts';

const intervalMs = 500;
/** The number of compactions after which the servers have shown how they share them. */
const count = 8;

describe('three servers on one etcd', () => {
  it('compact it once an interval, and never what is younger than an interval', async () => {
    await using etcd = await startTestEtcd();
    const options = {
      store: { kind: 'etcd', servers: [etcd.endpoint] },
      compactionIntervalMs: intervalMs,
      watchHistoryMs: 1,
    } as const;
    const store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix: '/registry' });
    await using first = await startServer(options);
    await using second = await startServer(options);
    await using third = await startServer(options);
    const servers: readonly TestServer[] = [first, second, third];
    const stop = new AbortController();
    const { revision: afterRevision } = await store.status();
    const marks: StoreEvent[] = [];
    const compacted = new Set<number>();
    const watchMarks = async (): Promise<void> => {
      const watch = store.watch('/registry/~/compaction', { afterRevision, signal: stop.signal });
      for await (const { events } of watch) marks.push(...events);
    };
    const watching = watchMarks();
    const began = performance.now();
    let turn = 0;
    for (; marks.length < count; turn++) {
      const server = servers[turn % servers.length] ?? first;
      const written = performance.now();
      const revision = await createConfigMap(server, `turn-${turn}`);
      await store.get('/registry/nothing', { revision: 1 }).catch((error: unknown) => {
        if (error instanceof StorageError && error.revision !== undefined) compacted.add(error.revision);
      });
      await sleep(intervalMs / 10);
      const path = `${configMaps}?resourceVersion=${revision}&resourceVersionMatch=Exact&limit=1`;
      const young = await request(servers[(turn + 1) % servers.length] ?? first, 'GET', path);
      if (performance.now() - written < intervalMs) assert.equal(young.status, 200, young.text);
    }
    const recorded = (): ReadonlySet<number> => new Set(marks.flatMap(recordedRevisions));
    await until('the marks of all compactions', () => [...compacted].slice(1).every((one) => recorded().has(one)));
    stop.abort();
    await watching;
    await store.close();
    // One compare-and-swap of the mark for each interval, by any of them. A busy machine makes fewer, and never more.
    const lasted = (performance.now() - began) / intervalMs;
    assert.ok(marks.length <= lasted + 2, `${marks.length} marks in ${lasted} intervals`);
    // Each turn sees one at most.
    const seen = `${compacted.size} compactions in ${turn} turns, ${marks.length} marks`;
    assert.ok(compacted.size >= Math.min(marks.length, turn) / 2, seen);
  });
});

/** The revisions that a mark was written at, and that it replaced. */
function recordedRevisions(event: StoreEvent): number[] {
  const values = [event.type === 'put' ? event.current : undefined, event.previous];
  return (
    values
      .filter((value) => value !== undefined)
      // What a server writes there.
      .map(({ value }) => (JSON.parse(Buffer.from(value).toString()) as { revision: number }).revision)
  );
}
