import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { EventLog } from '../../../src/storage/cache/event-log.ts';
import { forgetUntil } from '../../../src/storage/cache/history-budget.ts';
import { ResourceEvent } from '../../../src/storage/cache/resource-event.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { after, eventually, FaultyStore, newCache, nodes, pod, pods, putPod, readWatch } from './fixture.ts';

const limits = { historyMs: 1e9, bytes: 1e9, events: 1e6 };

function logOf(times: readonly number[], start = 0): EventLog {
  const log = new EventLog(start, limits);
  for (const atMs of times) {
    const key = '/registry/pods/default/p';
    const current = cachedObject(
      { key, revision: atMs, value: encodeStoredObject(pod('default', 'p')) },
      { namespace: 'default', name: 'p' },
    );
    log.append(new ResourceEvent({ key, revision: atMs, atMs, current, previous: undefined }), atMs);
  }
  return log;
}

describe('the history of all resources together', () => {
  it('loses its oldest events, of whichever resource, until it fits, and no others', () => {
    const times = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 40 });
    const split = fc.array(fc.nat({ max: 2 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(times, split, fc.nat({ max: 8_000 }), (all, place, bytes) => {
        const sorted = all.toSorted((a, b) => a - b);
        const logs = [0, 1, 2].map((own) => logOf(sorted.filter((_, i) => place[i] === own)));
        const untilMs = forgetUntil(logs, bytes);
        for (const log of logs) log.trim(1_000, untilMs);
        const kept = logs.flatMap((log) => [...log.events()]);
        const sum = kept.reduce((total, event) => total + event.bytes, 0);
        assert.ok(sum <= bytes);
        assert.deepEqual(
          kept.map(({ atMs }) => atMs).toSorted((a, b) => a - b),
          sorted.slice(sorted.length - kept.length),
        );
        const gone = sorted.length - kept.length;
        // One more would not have fitted: events have about the same size.
        if (gone > 0) assert.ok(sum + 400 > bytes);
      }),
    );
  });

  it('fits too where old events were found late and stand before others that came earlier', () => {
    const late = logOf([50, 60], 40);
    const found = [...logOf([10, 20, 30]).events()].map(({ key, revision, current }) => {
      return new ResourceEvent({ key, revision, atMs: 100, current, previous: undefined });
    });
    assert.ok(late.prepend(5, found));
    const logs = [late, logOf([70, 80])];
    const bytes = late.bytes / 4;
    const untilMs = forgetUntil(logs, bytes);
    for (const log of logs) log.trim(1_000, untilMs);
    assert.ok(late.bytes + (logs[1]?.bytes ?? 0) <= bytes);
  });

  it('is bounded in a cache; older watches read the missing events from the store', async () => {
    const store = new FaultyStore();
    const cache = newCache(store, { historyBytes: 20_000 });
    await Promise.all([cache.resource(pods).list(all), cache.resource(nodes).list(all)]);
    const start = await putPod(store, 'default', 'first');
    for (let i = 0; i < 400; i++) await putPod(store, 'default', `p${i}`);
    await eventually(() => cache.historyBytes > 20_000);
    await eventually(() => cache.historyBytes <= 20_000);
    assert.ok(cache.historyBytes > 15_000, String(cache.historyBytes));
    const watch = readWatch(cache.resource(pods), after(start));
    await eventually(() => watch.events.length === 400);
    await cache.close();
    await store.close();
  });
});

const all = { namespace: '', at: { kind: 'any' }, limit: 0 } as const;
