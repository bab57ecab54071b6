import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request, type WatchDocument } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { openWatch } from './open-watch.ts';
import { openStuckWatch } from './stuck-watch.ts';
import { configMaps } from './world.ts';

const path = `${configMaps}?watch=1&resourceVersion=`;
const open = 'apiserver_registered_watchers{group="",kind="ConfigMap",version="v1"}';
const cut = 'apiserver_terminated_watchers_total{resource="configmaps"}';

/** Together more than the buffers of a connection take, on both of its sides. */
const writes = 30;
const data = { filler: 'x'.repeat(600_000) };

/** Creates the object that is written; returns its version. */
async function createLarge(server: TestServer): Promise<number> {
  const { status, body, text } = await request(server, 'POST', configMaps, { metadata: { name: 'large' }, data });
  assert.equal(status, 201, text);
  return versionOf(body);
}

/** The version of an object in an answer. */
const versionOf = (body: unknown): number => Number((body as WatchDocument['object']).metadata.resourceVersion);

async function writeMuch(server: TestServer): Promise<number[]> {
  const merge = { 'content-type': 'application/merge-patch+json' };
  const versions: number[] = [];
  for (let i = 0; i < writes; i++) {
    const patch = { metadata: { labels: { turn: String(i) } } };
    const { status, body, text } = await request(server, 'PATCH', `${configMaps}/large`, patch, merge);
    assert.equal(status, 200, text);
    versions.push(versionOf(body));
  }
  return versions;
}

const versionsOf = (events: readonly WatchDocument[]): number[] =>
  events.map(({ object }) => Number(object.metadata.resourceVersion));

/** Resumes behind what was read, and compares both parts with everything that was written. */
async function resumesWithoutLoss(server: TestServer, read: readonly WatchDocument[], versions: readonly number[]) {
  const received = versionsOf(read);
  assert.ok(received.length > 0 && received.length < writes, `${received.length} of ${writes} were read`);
  assert.deepEqual(received, versions.slice(0, received.length));
  const rest = await openWatch(server, path + received.at(-1));
  await until('the rest', () => rest.events.length >= writes - received.length);
  assert.deepEqual([...received, ...versionsOf(rest.events)], versions);
  rest.stop();
}

describe('watchers that do not read', () => {
  it('are cut when more waits for them than they may have, cleanly, and resume without loss; others go on', async () => {
    await using server = await startServer({ compactionIntervalMs: 0, cache: { watchBudgetBytes: 1 << 21 } });
    const start = await createLarge(server);
    const stuck = await Promise.all([1, 2].map(() => openStuckWatch(server, path + start)));
    const reader = await openWatch(server, path + start);
    const versions = await writeMuch(server);
    await until('the others to be cut', async () => (await readMetrics(server)).get(cut) === stuck.length);
    await until('one who reads to be told all', () => reader.events.length === writes);
    assert.equal((await readMetrics(server)).get(open), 1);
    for (const watch of stuck) {
      const { events, clean } = await watch.read();
      assert.equal(clean, true);
      await resumesWithoutLoss(server, events, versions);
    }
    reader.stop();
  });

  it('do not hold up a server that stops', async () => {
    const server = await startServer({ compactionIntervalMs: 0, cache: { watchBudgetBytes: 1 << 30 } });
    const start = await createLarge(server);
    const watch = await openStuckWatch(server, path + start);
    await writeMuch(server);
    let stopped = false;
    void server.stop().then(() => (stopped = true));
    // Less than the time for which a server waits for requests to end.
    await until('the server to stop', () => stopped, 30_000);
    assert.ok((await watch.read()).events.length > 0);
  });

  it('are cut when they take nothing for too long, and resume without loss', async () => {
    const cache = { watchBudgetBytes: 1 << 30 };
    await using server = await startServer({ compactionIntervalMs: 0, stuckReaderMs: 500, cache });
    const start = await createLarge(server);
    const watch = await openStuckWatch(server, path + start);
    const versions = await writeMuch(server);
    await until('it to be cut', async () => (await readMetrics(server)).get(open) === 0);
    assert.equal((await readMetrics(server)).get(cut), 0);
    const { events, clean } = await watch.read();
    assert.equal(clean, false);
    await resumesWithoutLoss(server, events, versions);
  });
});
