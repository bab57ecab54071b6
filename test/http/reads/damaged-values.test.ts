import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { objectKey, objectsPrefix } from '../../../src/storage/port/object-key.ts';
import { serveStore, type StoreServer } from '../../../src/storage/remote/store-server.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { define, widgetsAt, widgetsIn } from '../custom-resources/widgets.ts';
import { readEvents, request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { everyVersion } from '../every-version.ts';
import { type Collection, collectionsOf } from './every-collection.ts';

const identifiers = identifiersOf('cluster');
const prefix = '/registry';
const group = 'damaged.example.com';
const option = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';

/** What can be wrong with a stored value, made of a good one, and what the error says of it. */
const damages: readonly { readonly what: string; readonly of: (good: Buffer) => Buffer; readonly says: RegExp }[] = [
  { what: 'cut', of: (good) => good.subarray(0, good.length - 7), says: /its JSON is incomplete|offsets do not fit/ },
  // Its brackets balance.
  { what: 'changed', of: (good) => withLast(good, '":', '" '), says: /its JSON is incomplete or malformed/ },
  { what: 'cut-in-metadata', of: (good) => good.subarray(0, 60), says: /cannot be read/ },
  { what: 'foreign', of: () => Buffer.from('{"hello":{"world":[1,2]}}'), says: /it has no envelope/ },
  {
    what: 'wrong-kind',
    of: () => encodeStoredObject({ kind: 'Wrong', apiVersion: 'v1', metadata: { name: 'a', uid: 'b' } }),
    says: /it is of kind \\"Wrong\\"/,
  },
  { what: 'empty', of: () => Buffer.alloc(0), says: /it has no envelope/ },
];

/** The bytes with another text in the last place of one, of the same length. */
function withLast(bytes: Buffer, from: string, to: string): Buffer {
  const changed = Buffer.from(bytes);
  changed.write(to, changed.lastIndexOf(from), 'latin1');
  return changed;
}

const badName = (what: string): string => `bad-${what}`;

describe('a store with damaged values', () => {
  const all = collectionsOf(group);
  let memory: MemoryStore;
  let served: StoreServer;
  let server: TestServer;

  const start = () => startServer({ ...everyVersion, prefix, store: { kind: 'remote', endpoint: served.endpoint } });
  const keyOf = ({ storage, namespace }: Collection, name: string): string =>
    objectKey(prefix, storage, namespace, name);
  const get = (path: string) => request(server, 'GET', path);
  /** Puts a value whatever is there. */
  const put = async (key: string, value: Buffer): Promise<void> => {
    const { current } = await memory.get(key);
    if (current) await memory.update(key, value, current.revision);
    else await memory.create(key, value);
  };
  /** A value of the collection that can be read. */
  const goodValue = async ({ storage }: Collection): Promise<Buffer> => {
    for await (const { values } of memory.list(objectsPrefix(prefix, storage, ''))) {
      const found = values.find(({ key }) => !key.includes('/bad-'));
      if (found) return Buffer.from(found.value);
    }
    throw new Error(`no ${storage.resource}`);
  };
  const checkAll = async (): Promise<void> => {
    for (const collection of all) {
      const list = await get(collection.path);
      assert.equal(list.status, 200, `${collection.path}: ${list.text}`);
      const { items } = list.body as { items: { metadata: { name: string } }[] };
      assert.ok(items.length > 0, `${collection.path} hides others`);
      assert.ok(!items.some(({ metadata }) => metadata.name.startsWith('bad-')), collection.path);
      const warning = String(list.headers['warning'] ?? '');
      assert.match(warning, new RegExp(`the list lacks ${damages.length} object`), collection.path);
      for (const { what, says } of damages) {
        const one = await get(`${collection.path}/${badName(what)}`);
        assert.equal(one.status, 500, `${collection.path} ${what}: ${one.text}`);
        assert.match(one.text, says, `${collection.path} ${what}: ${one.text}`);
        assert.match(one.text, /corrupt object/);
      }
    }
  };

  before(async () => {
    memory = new MemoryStore();
    served = await serveStore(memory, '127.0.0.1:0');
    server = await start();
    await define(server, widgetsIn(group));
    for (const { path, good } of all) {
      const created = await request(server, 'POST', path, good);
      assert.ok([201, 409].includes(created.status), `${path}: ${created.text}`);
      await get(path);
    }
    for (const collection of all) {
      const good = await goodValue(collection);
      for (const { what, of } of damages) await put(keyOf(collection, badName(what)), of(good));
    }
  });
  after(async () => {
    await server?.stop();
    await served.close();
    await memory.close();
  });

  it('goes on with every kind, and says what it leaves out', async () => {
    await until('the damaged values', async () => {
      const [last] = all.slice(-1);
      return new RegExp(`lacks ${damages.length}`).test(String((await get(last?.path ?? '')).headers['warning']));
    });
    await checkAll();
    assert.equal((await get('/readyz')).status, 200);
    let errors = 0;
    for (const [series, value] of await readMetrics(server)) {
      if (series.startsWith('apiserver_storage_decode_errors_total{')) errors += value;
    }
    assert.ok(errors >= all.length * damages.length, `${errors} decode errors`);
  });

  it('starts with damaged values of every kind, those of the system included', async () => {
    const system = [
      ['flowschemas', 'exempt'],
      ['flowschemas', 'service-accounts'],
      ['prioritylevelconfigurations', 'global-default'],
      ['prioritylevelconfigurations', 'catch-all'],
      ['namespaces', 'kube-public'],
      ['services', 'kubernetes'],
      ['endpoints', 'kubernetes'],
      ['clusterroles', 'view'],
      ['clusterrolebindings', 'system:discovery'],
      ['priorityclasses', 'system-node-critical'],
    ] as const;
    for (const [resource, name] of system) {
      const collection = all.find(({ storage }) => storage.resource === resource);
      assert.ok(collection, resource);
      for await (const { values } of memory.list(objectsPrefix(prefix, collection.storage, ''))) {
        const found = values.find(
          ({ key }) =>
            key.endsWith(`/${name.replace('kube', identifiers.prefix.slice(0, 4))}`) || key.endsWith(`/${name}`),
        );
        if (found) await put(found.key, Buffer.from(found.value).subarray(0, found.value.length - 5));
      }
    }
    await server.stop();
    server = await start();
    assert.equal((await get('/readyz')).status, 200);
    for (const { path } of all) assert.equal((await get(path)).status, 200, path);
    const created = await request(server, 'POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'later' },
      spec: { ports: [{ port: 80 }] },
    });
    assert.equal(created.status, 201, created.text);
  });

  it('does not show its end to the watch of an object whose value is damaged, and goes on', async () => {
    for (const collection of all) {
      const { path, good } = collection;
      const { name } = (good as { metadata: { name: string } }).metadata;
      const key = keyOf(collection, name);
      const { current } = await memory.get(key);
      if (!current) continue;
      const watch = readEvents(server, `${path}?watch=1&fieldSelector=metadata.name%3D${encodeURIComponent(name)}`);
      await until('the watch', () => watch.events.length > 0);
      await put(key, Buffer.from(current.value).subarray(0, current.value.length - 3));
      await put(key, Buffer.from(current.value));
      await until(`a change of ${path}`, () => watch.events.length > 1);
      assert.deepEqual(
        watch.events.map(({ type }) => type),
        ['ADDED', 'MODIFIED'],
        path,
      );
      watch.stop();
    }
  });

  it('refuses to delete what cannot be read, but with the option for that, and nothing else with it', async () => {
    // Each collection with one of the damages, by turns.
    for (const [index, collection] of all.entries()) {
      const { what = '' } = damages[index % damages.length] ?? {};
      const path = `${collection.path}/${badName(what)}`;
      const refused = await request(server, 'DELETE', path);
      assert.equal(refused.status, 500, `${path}: ${refused.text}`);
      const deleted = await request(server, 'DELETE', `${path}?${option}`);
      assert.equal(deleted.status, 200, `${path}: ${deleted.text}`);
      assert.equal((await get(path)).status, 404, path);
    }
    const readable = await request(server, 'DELETE', `${widgetsAt(group)}/good?${option}`);
    assert.equal(readable.status, 422, readable.text);
    assert.match(readable.text, /is exclusively used to delete corrupt object\(s\)/);
    for (const other of ['dryRun=All', 'gracePeriodSeconds=1', 'propagationPolicy=Orphan', 'orphanDependents=true']) {
      const both = await request(server, 'DELETE', `${widgetsAt(group)}/good?${option}&${other}`);
      assert.equal(both.status, 422, both.text);
      assert.match(both.text, new RegExp(`cannot be set together with .${other.split('=')[0]}`));
    }
    const many = await request(server, 'DELETE', `${widgetsAt(group)}?${option}`);
    assert.equal(many.status, 422, many.text);
    assert.match(many.text, /is not allowed with DELETECOLLECTION/);
  });
});
