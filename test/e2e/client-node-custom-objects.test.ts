import assert from 'node:assert/strict';
import * as k8s from '@kubernetes/client-node';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { startServer } from './start-server.ts';
import { gateways } from '../http/custom-resources/operators/gateway-api.ts';
import { prometheuses } from '../http/custom-resources/operators/prometheus-operator.ts';
import { request } from '../http/http-client.ts';
import { until } from '../http/until.ts';

const namespace = 'default';
const at = { group: 'monitoring.coreos.com', version: 'v1', namespace, plural: 'prometheuses' } as const;
const named = (name: string): JsonObject => ({ ...structuredClone(prometheuses.sample), metadata: { name } });

describe('@kubernetes/client-node 1.4 and custom kinds', () => {
  let server: TestServer;
  let config: k8s.KubeConfig;
  let custom: k8s.CustomObjectsApi;

  before(async () => {
    server = await startServer({
      store: 'memory',
      identifiers: 'kubernetes',
      compactionIntervalMs: 200,
      watchHistoryMs: 1,
    });
    config = new k8s.KubeConfig();
    config.loadFromString(server.clientConfig);
    custom = config.makeApiClient(k8s.CustomObjectsApi);
    await define(prometheuses.definition);
  });
  after(() => server.stop());

  /** Creates a definition, as it is: the client's type knows no defaults. Waits until it is established. */
  async function define(definition: JsonObject): Promise<void> {
    const extensions = config.makeApiClient(k8s.ApiextensionsV1Api);
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const created = await request(server, 'POST', definitions, definition);
    assert.equal(created.status, 201, created.text);
    const name = stringAt(objectAt(definition, 'metadata'), 'name');
    await until('the definition to be established', async () => {
      const { status } = await extensions.readCustomResourceDefinition({ name });
      return status?.conditions?.some(({ type, status: holds }) => type === 'Established' && holds === 'True') ?? false;
    });
  }

  // What the client answers for custom objects has no type.
  const createdAs = async (name: string): Promise<JsonObject> =>
    (await custom.createNamespacedCustomObject({ ...at, body: named(name) })) as JsonObject;

  it('creates, reads, patches, replaces, scales and deletes', async () => {
    const first = await createdAs('a');
    assert.equal(objectAt(first, 'spec')['portName'], 'web');
    const patched = (await custom.patchNamespacedCustomObject(
      { ...at, name: 'a', body: { spec: { paused: true } } },
      k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch),
    )) as JsonObject;
    assert.equal(objectAt(patched, 'spec')['paused'], true);
    const { status = {} } = prometheuses;
    const reported = (await custom.patchNamespacedCustomObjectStatus(
      { ...at, name: 'a', body: [{ op: 'add', path: '/status', value: status }] },
      k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.JsonPatch),
    )) as JsonObject;
    assert.equal(objectAt(reported, 'status')['replicas'], 2);
    const scale = (await custom.getNamespacedCustomObjectScale({ ...at, name: 'a' })) as JsonObject;
    assert.deepEqual(scale['status'], { replicas: 2, selector: 'app=main' });
    await assert.rejects(custom.replaceNamespacedCustomObject({ ...at, name: 'a', body: first }), { code: 409 });
    const wrong = { ...reported, spec: { ...objectAt(reported, 'spec'), maximumStartupDurationSeconds: 1 } };
    await assert.rejects(custom.replaceNamespacedCustomObject({ ...at, name: 'a', body: wrong }), { code: 422 });
    await custom.deleteNamespacedCustomObject({ ...at, name: 'a' });
    await assert.rejects(custom.getNamespacedCustomObject({ ...at, name: 'a' }), { code: 404 });
  });

  it('has an informer that sees changes, and objects of a definition that came back', async () => {
    await define(gateways.definition);
    const kind = { group: 'gateway.networking.k8s.io', version: 'v1', namespace, plural: 'gateways' } as const;
    const { group, version, plural } = kind;
    const seen: string[] = [];
    const list = async (): Promise<k8s.KubernetesListObject<k8s.KubernetesObject>> =>
      // What the client answers for custom objects has no type.
      (await custom.listNamespacedCustomObject(kind)) as k8s.KubernetesListObject<k8s.KubernetesObject>;
    const informer = k8s.makeInformer(config, `/apis/${group}/${version}/namespaces/${namespace}/${plural}`, list);
    for (const event of ['add', 'update', 'delete'] as const) {
      informer.on(event, ({ metadata }) => seen.push(`${event} ${metadata?.name}`));
    }
    let isStopped = false;
    informer.on('error', () => setTimeout(() => void (isStopped || informer.start().catch(() => {})), 100));
    await informer.start();
    try {
      const gateway = (name: string): JsonObject => ({ ...structuredClone(gateways.sample), metadata: { name } });
      await custom.createNamespacedCustomObject({ ...kind, body: gateway('a') });
      await until('the new object', () => seen.includes('add a'));
      await custom.patchNamespacedCustomObject(
        { ...kind, name: 'a', body: { metadata: { labels: { a: 'b' } } } },
        k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch),
      );
      await until('the change', () => seen.includes('update a'));

      const extensions = config.makeApiClient(k8s.ApiextensionsV1Api);
      const name = `${plural}.${group}`;
      await extensions.deleteCustomResourceDefinition({ name });
      await until('the end of the object', () => seen.includes('delete a'));
      await until('the end of the definition', async () => {
        return extensions.readCustomResourceDefinition({ name }).then(
          () => false,
          () => true,
        );
      });
      await define(gateways.definition);
      await custom.createNamespacedCustomObject({ ...kind, body: gateway('b') });
      await until('an object of the new definition', async () => {
        if (!seen.includes('add b')) await informer.start().catch(() => {});
        return seen.includes('add b');
      });
    } finally {
      isStopped = true;
      await informer.stop();
    }
  });

  it('is told with 410 that its watch begins too early', async () => {
    const old = stringAt(objectAt(await createdAs('old'), 'metadata'), 'resourceVersion');
    const watched = `/apis/${at.group}/v1/namespaces/default/prometheuses?watch=1&resourceVersion=${old}`;
    await until('the history to be forgotten', async () => {
      const change = { metadata: { labels: { at: String(Date.now()) } } };
      const headers = { 'content-type': 'application/merge-patch+json' };
      await request(server, 'PATCH', `/apis/${at.group}/v1/namespaces/default/prometheuses/old`, change, headers);
      const { status, text } = await request(server, 'GET', `${watched}&timeoutSeconds=1`);
      return status === 410 || text.includes('"code":410');
    });
    const list = (await custom.listNamespacedCustomObject(at)) as JsonObject;
    assert.equal(objectsAt(list, 'items').length, 1);
  });
});
