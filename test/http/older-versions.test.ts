import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt } from '../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const mergePatch = { 'content-type': 'application/merge-patch+json' };
const label = { metadata: { labels: { a: 'b' } } };
const url = 'https://127.0.0.1:1/x';
const rules = [
  { operations: ['CREATE'], apiGroups: ['none.example.com'], apiVersions: ['v1'], resources: ['nothings'] },
];

function hook(more: JsonObject): JsonObject {
  return { name: 'a.b.example.com', clientConfig: { url }, rules, ...more };
}

const none = hook({ sideEffects: 'None', admissionReviewVersions: ['v1'] });

/** An object that an older version accepts and a newer one refuses, if it is new. */
interface OlderObject {
  readonly title: string;
  readonly older: string;
  readonly newer: string;
  readonly object: JsonObject;
  /** Changes through the newer version: allowed while the object breaks the rule, and none after. */
  readonly still?: JsonObject;
  readonly mended?: JsonObject;
  readonly broken?: JsonObject;
}

const hooks = (kind: string, title: string, webhooks: readonly JsonObject[]) => ({
  title: `a ${kind} webhook configuration with ${title}`,
  older: `/apis/admissionregistration.cl.io/v1beta1/${kind}webhookconfigurations`,
  newer: `/apis/admissionregistration.cl.io/v1/${kind}webhookconfigurations`,
  object: { webhooks: [...webhooks] },
  mended: { webhooks: [none] },
});

const ingresses = (version: string) => `/apis/networking.cl.io/${version}/namespaces/default/ingresses`;

const objects: readonly OlderObject[] = [
  ...['mutating', 'validating'].flatMap((kind): OlderObject[] => {
    const some = { webhooks: [hook({ sideEffects: 'Some', admissionReviewVersions: ['v1'] })] };
    const same = { webhooks: [none, none] };
    return [
      { ...hooks(kind, 'unknown side effects', [hook({})]), still: some, broken: some },
      { ...hooks(kind, 'one name twice', [none, none]), still: same, broken: same },
    ];
  }),
  {
    title: 'an Ingress with a name of a secret that cannot be one',
    older: ingresses('v1beta1'),
    newer: ingresses('v1'),
    object: { spec: { backend: { serviceName: 'a', servicePort: 1 }, tls: [{ secretName: 'In Valid' }] } },
    still: { spec: { tls: [{ secretName: 'In Valid', hosts: ['a.b'] }] } },
    mended: { spec: { tls: [] } },
    broken: { spec: { tls: [{ secretName: 'In Valid' }] } },
  },
  {
    title: 'an Ingress without path types',
    older: ingresses('v1beta1'),
    newer: ingresses('v1'),
    object: { spec: { rules: [{ http: { paths: [{ path: '/a', backend: { serviceName: 'a', servicePort: 1 } }] } }] } },
  },
  {
    title: 'a VolumeAttachment with an attacher that no driver can have',
    older: '/apis/storage.cl.io/v1beta1/volumeattachments',
    newer: '/apis/storage.cl.io/v1/volumeattachments',
    object: { spec: { attacher: 'bad attacher_!', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
  },
  {
    title: 'an Event of the core group with a type of its own and without a reporter',
    older: '/api/v1/namespaces/default/events',
    newer: '/apis/events.cl.io/v1/namespaces/default/events',
    object: { involvedObject: { namespace: 'default' }, type: 'Odd', count: 3, source: { component: 'x' } },
  },
  {
    title: 'an EndpointSlice with a topology',
    older: '/apis/discovery.cl.io/v1beta1/namespaces/default/endpointslices',
    newer: '/apis/discovery.cl.io/v1/namespaces/default/endpointslices',
    object: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'], topology: { own: 'x' } }] },
  },
  {
    title: 'a disruption budget that selects nothing',
    older: '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets',
    newer: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    object: { spec: { minAvailable: 1, selector: {} } },
  },
  {
    title: 'a CronJob',
    older: '/apis/batch/v1beta1/namespaces/default/cronjobs',
    newer: '/apis/batch/v1/namespaces/default/cronjobs',
    object: {
      spec: {
        schedule: '@hourly',
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } } },
        },
      },
    },
  },
  {
    title: 'a RuntimeClass',
    older: '/apis/node.cl.io/v1beta1/runtimeclasses',
    newer: '/apis/node.cl.io/v1/runtimeclasses',
    object: { handler: 'a' },
  },
  {
    title: 'an autoscaler',
    older: '/apis/autoscaling/v2beta1/namespaces/default/horizontalpodautoscalers',
    newer: '/apis/autoscaling/v2beta2/namespaces/default/horizontalpodautoscalers',
    object: { spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'a' } } },
  },
  {
    title: 'a PriorityClass',
    older: '/apis/scheduling.cl.io/v1beta1/priorityclasses',
    newer: '/apis/scheduling.cl.io/v1/priorityclasses',
    object: { value: 1 },
  },
  {
    title: 'a Role',
    older: '/apis/rbac.authorization.cl.io/v1beta1/namespaces/default/roles',
    newer: '/apis/rbac.authorization.cl.io/v1/namespaces/default/roles',
    object: { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
  },
  {
    title: 'a Lease',
    older: '/apis/coordination.cl.io/v1beta1/namespaces/default/leases',
    newer: '/apis/coordination.cl.io/v1/namespaces/default/leases',
    object: { spec: { holderIdentity: 'a' } },
  },
  {
    title: 'a StorageClass',
    older: '/apis/storage.cl.io/v1beta1/storageclasses',
    newer: '/apis/storage.cl.io/v1/storageclasses',
    object: { provisioner: 'a' },
  },
  {
    title: 'an IngressClass',
    older: '/apis/networking.cl.io/v1beta1/ingressclasses',
    newer: '/apis/networking.cl.io/v1/ingressclasses',
    object: { spec: { controller: 'example.com/a' } },
  },
];

/** The objects of the older versions that spec 9.3 lists; those of definitions have a file of their own. */
describe('objects that were written through an older version', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ emulatedRelease: '1.21' });
  });
  after(() => server.stop());

  for (const [index, { title, older, newer, object, still, mended, broken }] of objects.entries()) {
    it(`can be changed through a newer one: ${title}`, async () => {
      const name = `older-${index}`;
      const created = await request(server, 'POST', older, { metadata: { name }, ...object });
      assert.equal(created.status, 201, created.text);
      const patch = async (body: JsonObject, status: number, at = newer): Promise<void> => {
        const patched = await request(server, 'PATCH', `${at}/${name}`, body, mergePatch);
        assert.equal(patched.status, status, patched.text);
      };
      await patch(label, 200);
      const read = await request(server, 'GET', `${newer}/${name}`);
      const put = await request(server, 'PUT', `${newer}/${name}`, { ...(read.body as JsonObject) });
      assert.equal(put.status, 200, put.text);
      if (still) await patch(still, 200);
      if (mended) await patch(mended, 200);
      if (broken) {
        await patch(broken, 422);
        await patch(broken, 200, older);
      }
    });
  }

  it('keep what only the older version shows', async () => {
    const slices = (version: string) => `/apis/discovery.cl.io/${version}/namespaces/default/endpointslices/kept`;
    const endpoints = [{ addresses: ['10.0.0.1'], topology: { own: 'x' } }];
    const object = { metadata: { name: 'kept' }, addressType: 'IPv4', endpoints };
    assert.equal((await request(server, 'POST', slices('v1beta1').replace('/kept', ''), object)).status, 201);
    assert.equal((await request(server, 'PATCH', slices('v1'), label, mergePatch)).status, 200);
    const { body } = await request(server, 'GET', slices('v1beta1'));
    assert.deepEqual(objectAt(objectsAt(body as JsonObject, 'endpoints')[0] ?? {}, 'topology'), { own: 'x' });
  });
});
