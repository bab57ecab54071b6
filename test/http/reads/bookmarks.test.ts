import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { openWatch } from './open-watch.ts';
import { configMaps, createConfigMap } from './world.ts';
import { until } from '../until.ts';

/** The minute of production, shortened; each interval is spread by a quarter either way. */
const intervalMs = 400;
const cache = { bookmarkIntervalMs: intervalMs, timerStepMs: 10 };
const leases = '/apis/coordination.cl.io/v1/namespaces/default/leases';

describe('bookmarks at intervals', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ compactionIntervalMs: 0, cache });
  });
  after(() => server.stop());

  it('come again and again to who asked for them, with versions that advance as other kinds are written', async () => {
    const [asked, unasked] = await Promise.all([
      openWatch(server, `${leases}?watch=1&allowWatchBookmarks=true&resourceVersion=0`),
      openWatch(server, `${leases}?watch=1&resourceVersion=0`),
    ]);
    const written: number[] = [];
    const began = performance.now();
    while (asked.events.length < 4) {
      written.push(await createConfigMap(server, `other-${written.length}`));
      await sleep(20);
    }
    const versions = asked.events.map(({ type, object }) => {
      assert.deepEqual([type, Object.keys(object.metadata)], ['BOOKMARK', ['resourceVersion', 'creationTimestamp']]);
      return Number(object.metadata.resourceVersion);
    });
    // A busy machine sends fewer, and never more.
    const intervals = (performance.now() - began) / intervalMs;
    assert.ok(versions.length <= intervals + 2, `${versions.length} bookmarks in ${intervals} intervals`);
    assert.deepEqual(
      versions,
      [...new Set(versions)].toSorted((a, b) => a - b),
    );
    assert.ok((versions.at(-1) ?? 0) > (written[0] ?? 0));
    assert.deepEqual(unasked.events, []);
    for (const watch of [asked, unasked]) watch.stop();
  });

  it('stand behind every event up to their version, however fast events come', async () => {
    const watch = await openWatch(server, `${configMaps}?watch=1&allowWatchBookmarks=true&resourceVersion=0`);
    const bookmarks = () => watch.events.filter(({ type }) => type === 'BOOKMARK').length;
    for (let i = 0; bookmarks() < 3; i++) {
      await Promise.all([createConfigMap(server, `a-${i}`), createConfigMap(server, `b-${i}`)]);
    }
    const last = await createConfigMap(server, 'last');
    const isBehindLast = ({ type, object }: (typeof watch.events)[number]): boolean =>
      type === 'BOOKMARK' && Number(object.metadata.resourceVersion) >= last;
    await until('a bookmark behind the last event', () => watch.events.some(isBehindLast));
    const versions = watch.events.map(({ object }) => Number(object.metadata.resourceVersion));
    const first = watch.events.findIndex(({ type }) => type === 'BOOKMARK');
    assert.ok(first > 0, 'there is a bookmark');
    // The state comes in the order of names; from the first bookmark on, no version is below one that came before.
    const live = versions.slice(first);
    assert.deepEqual(
      live,
      live.toSorted((a, b) => a - b),
    );
    assert.equal(watch.events.at(-1)?.type, 'BOOKMARK');
    assert.equal(versions.at(-1), last);
    watch.stop();
  });

  it('let a watch be resumed from them without a gap', async () => {
    const watch = await openWatch(server, `${leases}?watch=1&allowWatchBookmarks=true&timeoutSeconds=4`);
    for (let i = 0; i < 5; i++) await createConfigMap(server, `between-${i}`);
    assert.equal(await watch.ended, true);
    const bookmark = watch.events.at(-1);
    assert.equal(bookmark?.type, 'BOOKMARK');
    const missed = await createConfigMap(server, 'missed');
    const resumed = await openWatch(
      server,
      `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=${bookmark?.object.metadata.resourceVersion}`,
    );
    assert.equal(await resumed.ended, true);
    assert.deepEqual(
      resumed.events.map(({ object }) => Number(object.metadata.resourceVersion)),
      [missed],
    );
  });
});
