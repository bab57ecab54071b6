import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { objectKey } from '../../../src/storage/port/object-key.ts';
import { serveStore, type StoreServer } from '../../../src/storage/remote/store-server.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { define, definitions, widgetsIn } from '../custom-resources/widgets.ts';
import { cutValue } from '../cut-value.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { until } from '../until.ts';

const prefix = '/registry';
const group = 'content.example.com';
const option = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';

/** Some kinds: one without a delete of the collection, and a custom one. */
const kinds = [
  { at: '/api/v1', resource: 'configmaps', group: '', body: { kind: 'ConfigMap' } },
  { at: '/api/v1', resource: 'services', group: '', body: { kind: 'Service', spec: { ports: [{ port: 80 }] } } },
  { at: `/apis/${group}/v1`, resource: 'widgets', group, body: { kind: 'Widget', spec: { size: 1 } } },
] as const;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

describe('damaged values in what is deleted as a whole', () => {
  let memory: MemoryStore;
  let served: StoreServer;
  let server: TestServer;
  before(async () => {
    memory = new MemoryStore();
    served = await serveStore(memory, '127.0.0.1:0');
    server = await startServer({ prefix, store: { kind: 'remote', endpoint: served.endpoint }, controllers: true });
    await define(server, widgetsIn(group));
  });
  after(async () => {
    await server?.stop();
    await served.close();
    await memory.close();
  });

  const send = (method: string, path: string, body?: JsonObject): Promise<HttpResponse> =>
    request(server, method, path, body);
  const get = (path: string): Promise<HttpResponse> => send('GET', path);
  const create = async (path: string, body: JsonObject): Promise<void> => {
    const { status, text } = await send('POST', path, body);
    assert.equal(status, 201, text);
  };
  /** Cuts a stored value, and waits until the server has seen it. */
  const damage = async (storage: { group: string; resource: string }, path: string): Promise<void> => {
    const [, namespace = '', name = ''] = /\/namespaces\/([^/]+)\/[^/]+\/([^/]+)$/.exec(path) ?? [];
    await cutValue(memory, objectKey(prefix, storage, namespace, name));
    await until(`${path} to be damaged`, async () => (await get(path)).status === 500);
  };
  /** A namespace with two objects of each kind, of which one cannot be read. */
  const fill = async (namespace: string): Promise<void> => {
    await create('/api/v1/namespaces', { metadata: { name: namespace } });
    for (const { at, resource, group: ofGroup, body } of kinds) {
      const path = `${at}/namespaces/${namespace}/${resource}`;
      for (const name of ['good', 'bad']) await create(path, { ...body, metadata: { name } } as JsonObject);
      await damage({ group: ofGroup, resource }, `${path}/bad`);
    }
  };
  const conditions = async (path: string): Promise<ReadonlyMap<string, Condition>> => {
    const { body } = await get(path);
    const { status } = body as { status?: { conditions?: readonly Condition[] } };
    return new Map((status?.conditions ?? []).map((condition) => [condition.type, condition]));
  };
  const namesIn = async (path: string): Promise<readonly string[]> => {
    const { status, body, text } = await get(path);
    assert.equal(status, 200, text);
    return (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
  };

  it('make the delete of a collection fail once everything else of it is deleted', async () => {
    await fill('collection');
    const path = '/api/v1/namespaces/collection/configmaps';
    const dryRun = await send('DELETE', `${path}?dryRun=All`);
    assert.equal(dryRun.status, 500, dryRun.text);
    assert.ok((await namesIn(path)).includes('good'));
    for (const query of ['', '?labelSelector=a%3Db', '?limit=1']) {
      const { status, body, text } = await send('DELETE', `${path}${query}`);
      assert.equal(status, 500, text);
      const { message, details } = body as { message: string; details: { causes: { field: string }[] } };
      assert.match(
        message,
        /corrupt object: 1 object\(s\) of configmaps whose stored values cannot be read: collection\/bad$/,
      );
      assert.deepEqual(
        details.causes.map(({ field }) => field),
        ['/registry/configmaps/collection/bad'],
      );
    }
    assert.ok(!(await namesIn(path)).includes('good'));
    const others = await send('DELETE', `${path}?fieldSelector=metadata.name%3Dgood`);
    assert.equal(others.status, 200, others.text);
    assert.equal((await send('DELETE', `${path}/bad?${option}`)).status, 200);
    assert.equal((await send('DELETE', path)).status, 200);
  });

  it('keep a namespace until they are removed, but nothing else in it', async () => {
    await fill('kept');
    const path = '/api/v1/namespaces/kept';
    assert.equal((await send('DELETE', path)).status, 200);
    const failure = 'NamespaceDeletionContentFailure';
    for (const [index, { at, resource }] of kinds.entries()) {
      const left = kinds.length - index;
      const reported = new RegExp(`^Failed to delete all resource types, ${left} remaining: `);
      await until(`${left} failures`, async () => reported.test((await conditions(path)).get(failure)?.message ?? ''));
      const found = (await conditions(path)).get(failure);
      assert.deepEqual([found?.status, found?.reason], ['True', 'ContentDeletionFailed']);
      assert.match(found?.message ?? '', /1 object\(s\) of \S+ whose stored values cannot be read: kept\/bad/);
      const objects = `${at}/namespaces/kept/${resource}`;
      assert.equal((await get(`${objects}/good`)).status, 404);
      const removed = await send('DELETE', `${objects}/bad?${option}`);
      assert.equal(removed.status, 200, removed.text);
    }
    await until('the namespace to be gone', async () => (await get(path)).status === 404);
  });

  it('are never taken for nothing in a namespace that is being deleted', async () => {
    const path = '/api/v1/namespaces/listed/services';
    await fill('listed');
    assert.deepEqual(await namesIn(path), ['good']);
    const finalizers = ['example.com/hold'];
    const merge = { 'content-type': 'application/merge-patch+json' };
    const held = await request(server, 'PATCH', `${path}/good`, { metadata: { finalizers } }, merge);
    assert.equal(held.status, 200, held.text);
    assert.equal((await send('DELETE', '/api/v1/namespaces/listed')).status, 200);
    await until('the delete of the object', async () => /deletionTimestamp/.test((await get(`${path}/good`)).text));
    assert.deepEqual(await namesIn(path), ['good']);
    await request(server, 'PATCH', `${path}/good`, { metadata: { finalizers: null } }, merge);
    for (const query of ['', '?limit=1']) {
      const empty = await get(`${path}${query}`);
      assert.equal(empty.status, 500, empty.text);
      assert.match(empty.text, /1 object\(s\) of services whose stored values cannot be read: listed\/bad/);
    }
    // Who selects others does not ask whether there are any.
    assert.deepEqual(await namesIn(`${path}?labelSelector=a%3Db`), []);
    assert.ok((await namesIn('/api/v1/services')).length > 0);
  });

  it('keep a definition until they are removed, but no other object of it', async () => {
    const of = 'kept.example.com';
    await define(server, widgetsIn(of));
    const at = `/apis/${of}/v1/namespaces/default/widgets`;
    const body = { kind: 'Widget', spec: { size: 1 } };
    for (const name of ['good', 'bad']) await create(at, { ...body, metadata: { name } });
    await damage({ group: of, resource: 'widgets' }, `${at}/bad`);
    const path = `${definitions}/widgets.${of}`;
    assert.equal((await send('DELETE', path)).status, 200);
    const message =
      /^could not list instances: .*1 object\(s\) of widgets\.kept\.example\.com whose stored values cannot be read: default\/bad$/;
    await until('the failure', async () => message.test((await conditions(path)).get('Terminating')?.message ?? ''));
    const terminating = (await conditions(path)).get('Terminating');
    assert.deepEqual([terminating?.status, terminating?.reason], ['True', 'InstanceDeletionFailed']);
    const definition = await get(path);
    assert.match(definition.text, /"customresourcecleanup\./);
    assert.equal((await get(`${at}/good`)).status, 404);
    assert.equal((await send('DELETE', `${at}/bad?${option}`)).status, 200);
    await until('the definition to be gone', async () => (await get(path)).status === 404);
  });

  it('are no reason to hide that other objects of a definition cannot be deleted', async () => {
    const of = 'refused.example.com';
    await define(server, widgetsIn(of));
    const at = `/apis/${of}/v1/namespaces/default/widgets`;
    for (const name of ['one', 'bad']) await create(at, { kind: 'Widget', spec: { size: 1 }, metadata: { name } });
    await damage({ group: of, resource: 'widgets' }, `${at}/bad`);
    const hooks = '/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations';
    await create(hooks, {
      metadata: { name: of },
      webhooks: [
        {
          name: 'unreachable.example.com',
          clientConfig: { url: 'https://127.0.0.1:1/' },
          rules: [{ apiGroups: [of], apiVersions: ['*'], operations: ['DELETE'], resources: ['*'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    await until('the webhook', async () => (await send('DELETE', `${at}/one?dryRun=All`)).status === 500);
    const path = `${definitions}/widgets.${of}`;
    assert.equal((await send('DELETE', path)).status, 200);
    const isReported = (begin: string) => async (): Promise<boolean> => {
      const found = (await conditions(path)).get('Terminating');
      return found?.reason === 'InstanceDeletionFailed' && found.message.startsWith(begin);
    };
    await until(
      'the refused delete',
      isReported('could not issue all deletes: Internal error occurred: failed calling'),
    );
    assert.equal((await send('DELETE', `${hooks}/${of}`)).status, 200);
    await until('the damaged value', isReported('could not list instances: '));
    assert.equal((await get(`${at}/one`)).status, 404);
    assert.equal((await send('DELETE', `${at}/bad?${option}`)).status, 200);
    await until('the definition to be gone', async () => (await get(path)).status === 404);
  });
});
