import assert from 'node:assert/strict';
import {
  type Client,
  createClient,
  createInformerFactory,
  createInformerMetrics,
  hasReason,
  type InformerFactory,
} from '../../../src/client/index.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../until.ts';
import { connectionTo } from './connection-to.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const reference = { group: '', version: 'v1', resource: 'configmaps' } as const;
const backoff = { initialMs: 5, maximumMs: 50 };

const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

describe('informers of a server', () => {
  let server: TestServer;
  let proxy: TcpProxy;
  /** Not through the proxy. */
  let direct: Client;
  let client: Client;
  let stop: AbortController;
  let informers: InformerFactory;
  let log: string[];

  before(async () => {
    server = await startServer();
    proxy = await startTcpProxy(server.port);
    direct = createClient(connectionTo(server));
  });
  after(async () => {
    await direct.close();
    await proxy.stop();
    await server.stop();
  });
  beforeEach(() => {
    client = createClient(connectionTo(server, proxy.port));
    stop = new AbortController();
    informers = createInformerFactory(client, { signal: stop.signal, backoff, idleTimeoutMs: 500 });
    log = [];
  });
  afterEach(async () => {
    stop.abort();
    await client.close();
    await direct.resource(reference).deleteCollection();
  });

  const follow = async () => {
    const informer = informers.informer(reference, { namespace: 'default' });
    informer.subscribe({
      add: ({ metadata }) => log.push(`add ${metadata?.name}`),
      update: ({ metadata }) => log.push(`update ${metadata?.name}`),
      delete: ({ metadata }, isFinal) => log.push(`delete ${metadata?.name} ${isFinal}`),
    });
    await informer.synced();
    log.length = 0;
    return informer;
  };

  it('resume after broken connections without a new list, and see all that happened', async () => {
    const configMaps = direct.resource(reference);
    for (const name of ['a', 'b']) await configMaps.create(configMap(name));
    const informer = await follow();
    proxy.away = true;
    proxy.cut();
    await configMaps.delete('a');
    await configMaps.update(configMap('b', { key: 'value' }));
    await configMaps.create(configMap('c'));
    proxy.away = false;
    await until('all changes to be seen', () => log.length === 3);
    // A new list would not show the final state of what was deleted.
    assert.deepEqual(log, ['delete a true', 'update b', 'add c']);
    assert.deepEqual(informer.get('b', 'default')?.['data'], { key: 'value' });
  });

  it('resume at once, without a back-off, after each of ten resets of a watch that worked', async () => {
    const hour = 3_600_000;
    const options = { signal: stop.signal, backoff: { initialMs: hour, maximumMs: hour } };
    informers = createInformerFactory(client, options);
    await follow();
    const names = Array.from({ length: 10 }, (_, index) => `change-${index}`);
    for (const name of names) {
      await direct.resource(reference).create(configMap(name));
      await until('the change to be seen', () => log.includes(`add ${name}`));
      proxy.reset();
    }
    await direct.resource(reference).create(configMap('last'));
    await until('the change after the last reset', () => log.includes('add last'));
    assert.deepEqual(
      log,
      [...names, 'last'].map((name) => `add ${name}`),
    );
  });

  it('replace a connection whose server is gone without a word', async () => {
    await follow();
    proxy.freeze();
    const { metadata } = await direct.resource(reference).create(configMap('late'));
    await informers.informer(reference, { namespace: 'default' }).waitFor(metadata?.resourceVersion ?? '');
    assert.deepEqual(log, ['add late']);
  });

  it('show a writer its own writes as soon as it has waited for them', async () => {
    const informer = await follow();
    const names = Array.from({ length: 20 }, (_, index) => `own-${index}`);
    for (const name of names) {
      const written = await client.resource(reference).create(configMap(name));
      await informer.waitFor(written.metadata?.resourceVersion ?? '');
      assert.equal(informer.get(name, 'default')?.metadata?.uid, written.metadata?.uid);
    }
  });

  it('hold objects with their type and without their managed fields', async () => {
    await direct.resource(reference).create(configMap('listed'));
    const informer = await follow();
    await direct.resource(reference).create(configMap('watched'));
    await until('the new object', () => log.length === 1);
    for (const name of ['listed', 'watched']) {
      const object = informer.get(name, 'default');
      assert.deepEqual([object?.apiVersion, object?.kind], ['v1', 'ConfigMap']);
      assert.equal(object?.metadata?.managedFields, undefined);
    }
  });

  it('of metadata have nothing else', async () => {
    await direct.resource(reference).create({ ...configMap('large', { key: 'value' }), immutable: true });
    const informer = informers.metadataInformer(reference, { namespace: 'default' });
    await informer.synced();
    const second = await direct.resource(reference).create(configMap('second', { key: 'value' }));
    await informer.waitFor(second.metadata?.resourceVersion ?? '');
    const objects = informer.list();
    assert.deepEqual(new Set(objects.map(({ metadata }) => metadata.name)), new Set(['large', 'second']));
    for (const object of objects) assert.deepEqual(Object.keys(object).toSorted(), ['apiVersion', 'kind', 'metadata']);
  });

  it('list again after their version was compacted, and see deletions with the last known state', async () => {
    // The history in memory and in the store ends at once.
    const history = { historyMs: 1, bytes: 1, events: 1 };
    await using forgetful = await startServer({ compactionIntervalMs: 100, cache: { history } });
    const way = await startTcpProxy(forgetful.port);
    const writer = createClient(connectionTo(forgetful));
    const reader = createClient(connectionTo(forgetful, way.port));
    const metrics = createInformerMetrics();
    const errors: unknown[] = [];
    const following = createInformerFactory(reader, {
      signal: stop.signal,
      backoff,
      metrics,
      onError: (error) => errors.push(error),
    });
    const configMaps = writer.resource(reference);
    for (const name of ['a', 'b']) await configMaps.create(configMap(name, { key: name }));
    const informer = following.informer(reference);
    const deleted: unknown[] = [];
    informer.subscribe({ delete: (object, isFinal) => deleted.push([object['data'], isFinal]) });
    await informer.synced();
    const { resourceVersion } = informer;
    way.away = true;
    way.cut();
    await configMaps.delete('a');
    await configMaps.update(configMap('b', { key: 'changed' }));
    const { metadata } = await configMaps.create(configMap('c'));
    await until('the version to be compacted', async () => {
      const watch = configMaps.watch({ resourceVersion, timeoutSeconds: 1 });
      try {
        for await (const _ of watch) return false;
      } catch (error) {
        return hasReason(error, 'Expired');
      }
      return false;
    });
    way.away = false;
    await informer.waitFor(metadata?.resourceVersion ?? '');
    assert.deepEqual(deleted, [[{ key: 'a' }, false]]);
    assert.deepEqual(informer.get('b', 'default')?.['data'], { key: 'changed' });
    assert.ok(errors.some((error) => hasReason(error, 'Expired')));
    const lists = metrics.families.find(({ name }) => name === 'reflector_lists_total');
    assert.deepEqual([...(lists?.samples() ?? [])], [{ labels: { name: 'configmaps' }, value: 2 }]);
    await Promise.all([writer.close(), reader.close()]);
    await way.stop();
  });
});
