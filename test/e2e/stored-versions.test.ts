import assert from 'node:assert/strict';
import { openEtcdStore } from '../../src/storage/etcd/etcd-store.ts';
import { decodeStoredObject } from '../../src/storage/objects/stored-object.ts';
import type { TestServerOptions } from '../../src/testing/index.ts';
import { startServer } from './start-server.ts';
import { readEvents, request } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { startTestEtcd } from './local-store.ts';

const beta = '/apis/extensions/v1beta1/namespaces/default/ingresses';
const stable = '/apis/networking.cl.io/v1/namespaces/default/ingresses';
const key = '/registry/ingresses.networking.cl.io/default/a';
const ingress = {
  apiVersion: 'extensions/v1beta1',
  kind: 'Ingress',
  metadata: { name: 'a' },
  spec: { backend: { serviceName: 's', servicePort: 'http' } },
};
const backend = { service: { name: 's', port: { name: 'http' } } };

describe('objects that another release has stored', () => {
  it('are read, watched and rewritten in the version of the present one', async () => {
    await using etcd = await startTestEtcd();
    const store = { kind: 'etcd', servers: [etcd.endpoint] } as const;
    const options: TestServerOptions = { store, compactionIntervalMs: 0 };
    await using raw = await openRaw(etcd.endpoint);

    const old = await startServer({ ...options, emulatedRelease: '1.18' });
    const created = await request(old, 'POST', beta, ingress);
    assert.equal(created.status, 201, created.text);
    assert.deepEqual((await request(old, 'GET', `${beta}/a`)).body, created.body);
    assert.equal(await raw.apiVersionAt(key), 'networking.cl.io/v1beta1');
    await old.stop();

    await using server = await startServer({ ...options, emulatedRelease: '1.22' });
    const watch = readEvents(server, `${stable}?watch=1`);
    await until('the object in the watch', () => watch.events.length > 0);
    const seen = watch.events[0]?.object;
    assert.equal(seen?.['apiVersion'], 'networking.cl.io/v1');
    assert.deepEqual(seen['spec'], { defaultBackend: backend });
    const read = await request(server, 'GET', `${stable}/a`);
    assert.deepEqual(read.body, seen);
    assert.equal(await raw.apiVersionAt(key), 'networking.cl.io/v1beta1', 'reads rewrite nothing');

    const written = await request(server, 'PUT', `${stable}/a`, read.body);
    assert.equal(written.status, 200, written.text);
    assert.equal(await raw.apiVersionAt(key), 'networking.cl.io/v1', 'a write without changes rewrites');
    const before = await raw.revisionAt(key);
    await request(server, 'PUT', `${stable}/a`, written.body);
    assert.equal(await raw.revisionAt(key), before, 'and the next one writes nothing');
    watch.stop();
  });

  it('are shown by both releases at the same time', async () => {
    await using etcd = await startTestEtcd();
    const store = { kind: 'etcd', servers: [etcd.endpoint] } as const;
    await using old = await startServer({ store, emulatedRelease: '1.18' });
    await using server = await startServer({ store, emulatedRelease: '1.22' });
    const watch = readEvents(old, `${beta}?watch=1`);
    const body = { metadata: { name: 'a' }, spec: { defaultBackend: backend } };
    assert.equal((await request(server, 'POST', stable, body)).status, 201);
    await until('the object in the old watch', () => watch.events.length > 0);
    const path = `${beta}/a`;
    const changed = { metadata: { labels: { by: 'old' } } };
    const type = { 'content-type': 'application/merge-patch+json' };
    assert.equal((await request(old, 'PATCH', path, changed, type)).status, 200);
    const read = (await request(server, 'GET', `${stable}/a`)).body as { metadata: { labels: object }; spec: object };
    assert.deepEqual([read.metadata.labels, read.spec], [{ by: 'old' }, { defaultBackend: backend }]);
    watch.stop();
  });
});

/** What etcd holds at a key. */
async function openRaw(endpoint: string) {
  const store = await openEtcdStore({ endpoints: [endpoint] });
  const at = async (where: string) => {
    const { current } = await store.get(where);
    assert.ok(current, where);
    return current;
  };
  return {
    apiVersionAt: async (where: string) => {
      const { json } = decodeStoredObject(where, (await at(where)).value);
      return (JSON.parse(json.toString('utf8')) as { apiVersion: string }).apiVersion;
    },
    revisionAt: async (where: string) => (await at(where)).revision,
    [Symbol.asyncDispose]: () => store.close(),
  };
}
