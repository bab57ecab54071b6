import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { serveObjectStore } from '../../../src/server/serve-object-store.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { everyCase } from '../../every-case.ts';
import { request, type WatchDocument } from '../http-client.ts';
import { until } from '../until.ts';
import { openWatch } from './open-watch.ts';
import { configMaps } from './world.ts';

const asked = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const half = '0x8000000000000000';
const shardOf = (start: string, end: string): string =>
  `shardSelector=${encodeURIComponent(`shardRange(object.metadata.uid, '${start}', '${end}')`)}`;
const shards = [shardOf('0x0000000000000000', half), shardOf(half, '0x10000000000000000')];

const isEnd = ({ type, object }: WatchDocument): boolean =>
  type === 'BOOKMARK' && JSON.stringify(object.metadata).includes('"k8s.io/initial-events-end":"true"');
const namesOf = (events: readonly WatchDocument[]): string[] =>
  events.filter(({ type }) => type === 'ADDED').map(({ object }) => object.metadata.name);

/** A connection of its own whose answer is not read before `read`. */
async function openUnread(server: TestServer, path: string, accept: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${server.token}`, accept };
  const outgoing = httpsRequest(server.url + path, { ca: server.ca, headers, agent: false });
  // Answers of node:https are such messages.
  const [response] = (await once(outgoing.end(), 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return response;
}

/** Bytes outside and inside the heap, after what is garbage has gone. */
async function usedBytes(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

describe('watch lists', () => {
  let store: MemoryStore;
  let served: Awaited<ReturnType<typeof serveObjectStore>>;
  let server: TestServer;
  const start = () =>
    startServer({
      emulatedRelease: '1.36',
      identifiers: 'kubernetes',
      featureGates: ['ShardedListAndWatch=true', 'CBORServingAndStorage=true'],
      store: { kind: 'remote', endpoint: served.endpoint },
    });
  before(async () => {
    store = new MemoryStore();
    served = await serveObjectStore(store, '127.0.0.1:0');
    server = await start();
  });
  after(async () => {
    await server.stop();
    await served.close();
  });

  it('that select a shard resume after their last event at a restarted server', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `shard-${index}`);
    const create = (name: string) => request(server, 'POST', configMaps, { metadata: { name } });
    for (const name of names.slice(0, 8)) await create(name);
    const before = await Promise.all(shards.map((shard) => openWatch(server, `${configMaps}?${asked}&${shard}`)));
    await until('the ends of both states', () => before.every(({ events }) => events.some(isEnd)));
    assert.deepEqual(before.flatMap(({ events }) => namesOf(events)).toSorted(), names.slice(0, 8).toSorted());
    const versions = before.map(({ events }) => events.findLast(isEnd)?.object.metadata.resourceVersion ?? '');
    for (const watch of before) watch.stop();
    await server.stop();
    server = await start();
    for (const name of names.slice(8)) await create(name);
    const after = await Promise.all(
      shards.map((shard, index) =>
        openWatch(server, `${configMaps}?watch=1&resourceVersion=${versions[index]}&${shard}`),
      ),
    );
    await until('the new objects', () => after.flatMap(({ events }) => events).length >= 4);
    assert.deepEqual(after.flatMap(({ events }) => namesOf(events)).toSorted(), names.slice(8).toSorted());
    for (const watch of after) watch.stop();
    await request(server, 'DELETE', configMaps);
  });

  it('from before a compaction are refused, and begin again with the state', async () => {
    const first = await request(server, 'POST', configMaps, { metadata: { name: 'compacted' } });
    const { resourceVersion } = (first.body as WatchDocument['object']).metadata;
    for (let i = 0; i < 3; i++) await request(server, 'DELETE', `${configMaps}/none`);
    await request(server, 'POST', configMaps, { metadata: { name: 'later' } });
    await store.compact((await store.status()).revision);
    await server.stop();
    server = await start();
    const late = await openWatch(server, `${configMaps}?watch=1&resourceVersion=${resourceVersion}`);
    await until('the refusal', () => late.status !== 200 || late.events.length > 0);
    assert.equal(late.events[0]?.type, 'ERROR', late.text);
    // Not older than a version is a state, which no compaction takes away.
    const list = await openWatch(server, `${configMaps}?${asked}&resourceVersion=${resourceVersion}`);
    await until('the end of the state', () => list.events.some(isEnd));
    assert.deepEqual(namesOf(list.events), ['compacted', 'later']);
    list.stop();
    await request(server, 'DELETE', configMaps);
  });

  it('of a large collection do not keep the state in memory if nobody reads', async function () {
    this.timeout(300_000);
    // Each watch would take some 10 MB, or 4 MB, if the state were encoded for it at once.
    const [count, watchers, bytes] = everyCase ? [5000, 200, 1500] : [200, 60, 15_000];
    const data = { filler: Buffer.alloc(bytes, 'x').toString('base64') };
    const collection = '/api/v1/namespaces/default/secrets';
    for (let from = 0; from < count; from += 100) {
      const some = Array.from({ length: 100 }, (_, index) => `large-${String(from + index).padStart(5, '0')}`);
      await Promise.all(some.map((name) => request(server, 'POST', collection, { metadata: { name }, data })));
    }
    const forms = [
      'application/json',
      'application/vnd.kubernetes.protobuf;stream=watch',
      'application/cbor',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    ];
    const idle = await usedBytes();
    const unread = await Promise.all(
      Array.from({ length: watchers }, (_, index) =>
        openUnread(server, `${collection}?${asked}`, forms[index % forms.length] ?? ''),
      ),
    );
    // Half of them read a part.
    for (const response of unread.slice(0, watchers / 2)) response.read(1);
    assert.equal((await request(server, 'GET', '/healthz')).status, 200);
    const grown = (await usedBytes()) - idle;
    for (const response of unread) response.destroy();
    assert.ok(grown < watchers * 2 ** 20, `${Math.round(grown / 2 ** 20)} MiB for ${watchers} watches`);
    const whole = await openWatch(server, `${collection}?${asked}&limit=10&fieldSelector=metadata.name%3Dlarge-00007`);
    await until('a selected state', () => whole.events.some(isEnd));
    assert.deepEqual(namesOf(whole.events), ['large-00007']);
    whole.stop();
  });
});
