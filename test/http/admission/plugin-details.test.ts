import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { messageOf } from './quotas.ts';

const container = { name: 'c', image: 'i' };

/** Details of plugins that were compared with kube-apiserver 1.20. */
describe('details of admission plugins', () => {
  let server: TestServer;
  before(async () => {
    const enabled = ['OwnerReferencesPermissionEnforcement', 'PodNodeSelector', 'PodTolerationRestriction'];
    server = await startServer({
      admissionPlugins: { enabled, disabled: ['DefaultTolerationSeconds'] },
      admissionConfigurations: {
        PodTolerationRestriction: {
          apiVersion: 'podtolerationrestriction.admission.cl.io/v1alpha1',
          kind: 'Configuration',
          whitelist: [{ key: 'known', operator: 'Exists' }],
        },
        PodNodeSelector: { podNodeSelectorPluginConfig: { n: 'disk=ssd' } },
      },
      store: 'memory',
    });
    await create('/api/v1/namespaces', { metadata: { name: 'n' } });
  });
  after(() => server.stop());

  const post = (path: string, body: JsonObject): Promise<HttpResponse> => request(server, 'POST', path, body);
  const create = async (path: string, body: JsonObject): Promise<JsonObject> => {
    const { status, body: created, text } = await post(path, body);
    assert.equal(status, 201, text);
    return created as JsonObject;
  };
  const createNamespace = (name: string, annotations: Readonly<Record<string, string>>): Promise<JsonObject> =>
    create('/api/v1/namespaces', {
      metadata: {
        name,
        annotations: Object.fromEntries(
          Object.entries(annotations).map(([key, value]) => [`scheduler.alpha.cluster.io/${key}`, value]),
        ),
      },
    });
  const tryPod = (spec: JsonObject, namespace = 'n', metadata: JsonObject = { name: 'p' }): Promise<HttpResponse> =>
    post(`/api/v1/namespaces/${namespace}/pods?dryRun=All`, { metadata, spec: { containers: [container], ...spec } });
  const tolerationsOf = async (spec: JsonObject, namespace = 'n'): Promise<unknown> => {
    const { status, body, text } = await tryPod(spec, namespace);
    assert.equal(status, 201, text);
    return objectAt(body as JsonObject, 'spec')['tolerations'];
  };

  it('RuntimeClass leaves out tolerations that others cover', async () => {
    const scheduling: JsonObject = {
      tolerations: [
        { key: 't', operator: 'Exists' },
        { key: 'u', operator: 'Equal', value: 'v' },
      ],
    };
    await create('/apis/node.cl.io/v1/runtimeclasses', { metadata: { name: 'r' }, handler: 'h', scheduling });
    await createNamespace('any', { tolerationsWhitelist: '[]' });
    const runtimeClassName = 'r';
    const all = [{ operator: 'Exists' }];
    assert.deepEqual(await tolerationsOf({ runtimeClassName, tolerations: all }, 'any'), all);
    const narrow = { key: 't', operator: 'Equal', value: '1', effect: 'NoExecute' };
    assert.deepEqual(await tolerationsOf({ runtimeClassName, tolerations: [narrow] }, 'any'), scheduling.tolerations);
    const many = Array.from({ length: 1001 }, (_, index) => ({ key: `k${index}`, operator: 'Exists' }));
    const refused = await tryPod({ runtimeClassName, tolerations: many }, 'any');
    assert.equal(refused.status, 403);
  });

  it('PodTolerationRestriction puts defaults after those of the Pod, and names the list that refuses', async () => {
    const defaults = [{ key: 'known', operator: 'Exists', effect: 'NoSchedule' }];
    await createNamespace('defaults', { defaultTolerations: JSON.stringify(defaults) });
    const own = { key: 'known', operator: 'Exists', effect: 'NoExecute' };
    assert.deepEqual(await tolerationsOf({ tolerations: [own] }, 'defaults'), [own, ...defaults]);
    const refused = await tryPod({ tolerations: [{ key: 'x', operator: 'Exists' }] });
    assert.match(messageOf(refused), /conflict with its cluster whitelist$/);
  });

  it('PodNodeSelector refuses a Pod without a name by its resource alone', async () => {
    await createNamespace('ssd', { 'node-selector': 'disk=ssd' });
    const refused = await tryPod({ nodeSelector: { disk: 'tape' } }, 'ssd', { generateName: 'p-' });
    const why = 'pod node label selector conflicts with its namespace node label selector';
    assert.equal(messageOf(refused), `pods is forbidden: ${why}`);
  });

  it('PodNodeSelector and PodTolerationRestriction compare with their lists before a name is required', async () => {
    const unlisted = await tryPod({ nodeSelector: { disk: 'tape' } }, 'n', {});
    const why = 'pod node label selector labels conflict with its namespace whitelist';
    assert.equal(messageOf(unlisted), `pods is forbidden: ${why}`);
    const untolerated = await tryPod({ tolerations: [{ key: 'x', operator: 'Exists' }] }, 'n', {});
    assert.match(messageOf(untolerated), /conflict with its cluster whitelist$/);
  });

  it('default classes: the message about several storage classes is shorter than that of ingress classes', async () => {
    for (const name of ['a', 'b']) {
      const metadata = { name, annotations: { 'storageclass.cluster.io/is-default-class': 'true' } };
      await create('/apis/storage.cl.io/v1/storageclasses', { metadata, provisioner: 'p' });
      const mark = { name, annotations: { 'ingressclass.cluster.io/is-default-class': 'true' } };
      await create('/apis/networking.cl.io/v1/ingressclasses', { metadata: mark, spec: { controller: 'x.y/z' } });
    }
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } };
    const claims = '/api/v1/namespaces/n/persistentvolumeclaims';
    assert.equal(
      messageOf(await post(claims, { metadata: { name: 'c' }, spec: claim })),
      'persistentvolumeclaims "c" is forbidden: Internal error occurred: 2 default StorageClasses were found',
    );
    const spec = { defaultBackend: { service: { name: 's', port: { number: 1 } } } };
    const ingress = await post('/apis/networking.cl.io/v1/namespaces/n/ingresses', { metadata: { name: 'i' }, spec });
    assert.match(messageOf(ingress), /2 default IngressClasses were found, only 1 allowed$/);
  });

  it('NamespaceLifecycle keeps three namespaces', async () => {
    for (const name of ['default', 'cl-system', 'cl-public']) {
      const refused = await request(server, 'DELETE', `/api/v1/namespaces/${name}`);
      assert.equal(messageOf(refused), `namespaces "${name}" is forbidden: this namespace may not be deleted`);
    }
    assert.equal((await request(server, 'DELETE', '/api/v1/namespaces/cl-node-lease?dryRun=All')).status, 200);
  });

  it('OwnerReferencesPermissionEnforcement knows kinds in lower case', async () => {
    const owned = (kind: string): Promise<HttpResponse> => {
      const owner = { apiVersion: 'v1', kind, name: 'o', uid: 'u', blockOwnerDeletion: true };
      const metadata = { name: 'c', ownerReferences: [owner] };
      return post('/api/v1/namespaces/n/configmaps?dryRun=All', { metadata });
    };
    assert.equal((await owned('pod')).status, 201);
    assert.equal((await owned('POD')).status, 403);
    assert.match(stringAt((await owned('Gone')).body as JsonObject, 'message'), /cannot find RESTMapping/);
  });
});
