import assert from 'node:assert/strict';
import { type Fixture, type Received, startFixture } from '../../unit/api/fixture.ts';

const pods = '/api/v1/namespaces/default/pods';
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
const apiVersion = 'admissionregistration.k8s.io/v1';
const validating = `/apis/${apiVersion}/validatingwebhookconfigurations`;
const merge = 'application/merge-patch+json';
const container = { name: 'c', image: 'i' };

/** Rules of one field each, as clients of kube-apiserver see them. */
describe('the refusal', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await startFixture();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const post = (path: string, rest: object): Promise<Received> =>
    fixture.send({ method: 'POST', path, body: { metadata: { name: 'x' }, ...rest } });
  // Every refusal of an object lists its causes.
  const causes = (response: Received) =>
    (response.at('details.causes') as { field: string; reason: string }[]).map(
      ({ field, reason }) => `${field} ${reason.replace('FieldValue', '')}`,
    );

  it('of a probe of an init container names what is wrong in it, and that it is there', async () => {
    const initContainers = [{ name: 'i', image: 'i', livenessProbe: {} }];
    const response = await post(pods, { spec: { containers: [container], initContainers } });
    const field = 'spec.initContainers[0].livenessProbe';
    assert.deepEqual(causes(response), [`${field} Required`, `${field} Invalid`]);
  });

  it('of mounts that spread into an unprivileged container names all of them at once', async () => {
    const volumeMounts = [{ name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' }];
    const volumes = [{ name: 'v', emptyDir: {} }];
    const response = await post(pods, { spec: { containers: [{ ...container, volumeMounts }], volumes } });
    assert.deepEqual(causes(response), ['spec.containers[0].volumeMounts.mountPropagation Forbidden']);
  });

  it('of a repeated spread of pods names all but the last', async () => {
    const spread = { topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', maxSkew: 1 };
    const spec = { containers: [container], topologySpreadConstraints: [spread, spread, spread] };
    const place = (index: number) => `spec.topologySpreadConstraints[${index}].{topologyKey, whenUnsatisfiable}`;
    assert.deepEqual(causes(await post(pods, { spec })), [`${place(0)} Duplicate`, `${place(1)} Duplicate`]);
  });

  it('of a webhook with a URL and a service does not look into the service', async () => {
    const clientConfig = { url: 'https://example.com/', service: {} };
    const webhook = { name: 'a.b.c', sideEffects: 'None', admissionReviewVersions: ['v1'], clientConfig };
    const response = await post(validating, { webhooks: [webhook] });
    assert.deepEqual(causes(response), ['webhooks[0].clientConfig Required']);
  });

  it('of side effects that are empty is not that of missing ones', async () => {
    const webhook = { name: 'a.b.c', admissionReviewVersions: ['v1'], clientConfig: { url: 'https://example.com/' } };
    const sent = (webhooks: object[]) => post(validating, { webhooks });
    assert.deepEqual(causes(await sent([webhook])), ['webhooks[0].sideEffects Required']);
    assert.deepEqual(causes(await sent([{ ...webhook, sideEffects: '' }])), ['webhooks[0].sideEffects NotSupported']);
  });

  it('of an item whose key is null is for the key, as that of one without', async () => {
    const query = 'fieldManager=m';
    const body = { apiVersion, kind: 'ValidatingWebhookConfiguration', metadata: { name: 'x' }, webhooks: [{}] };
    const apply = (webhooks: object[]) =>
      fixture.send({
        method: 'PATCH',
        path: `${validating}/x?${query}`,
        body: { ...body, webhooks },
        type: 'application/apply-patch+yaml',
      });
    assert.equal((await apply([{}, { name: null }])).status, 422);
    assert.equal((await apply([{ name: null }, { name: null }])).status, 500);
  });

  it('of paths that a policy allows ends with the first empty one', async () => {
    const any = { rule: 'RunAsAny' };
    const allowedHostPaths = [{ pathPrefix: '..' }, {}, {}, { pathPrefix: '..' }];
    const spec = { runAsUser: any, seLinux: any, supplementalGroups: any, fsGroup: any, allowedHostPaths };
    const path = '/apis/policy/v1beta1/podsecuritypolicies';
    const field = (index: number) => `spec.allowedHostPaths[${index}]`;
    assert.deepEqual(causes(await post(path, { spec })), [`${field(0)} Invalid`, `${field(1)} Required`]);
  });

  it('of a scale is for what it makes of the object', async () => {
    const volumes = [{ name: 'v', gcePersistentDisk: { pdName: 'd' } }];
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container], volumes } };
    const path = '/api/v1/namespaces/default/replicationcontrollers';
    assert.equal((await post(path, { spec: { template } })).status, 201);
    const body = { spec: { replicas: 2 } };
    const scaled = await fixture.send({ method: 'PATCH', path: `${path}/x/scale`, body, type: merge });
    assert.deepEqual(causes(scaled), ['spec.template.spec.volumes[0].gcePersistentDisk.readOnly Invalid']);
  });

  it('of a Namespace in another namespace than itself is 400, and a Node may be in any', async () => {
    const body = { metadata: { namespace: 'y' } };
    const statuses: number[] = [];
    for (const resource of ['namespaces', 'nodes']) {
      await post(`/api/v1/${resource}`, {});
      const path = `/api/v1/${resource}/x`;
      statuses.push((await fixture.send({ method: 'PATCH', path, body, type: merge })).status);
      const replaced = { metadata: { name: 'x', namespace: 'y' } };
      statuses.push((await fixture.send({ method: 'PUT', path, body: replaced })).status);
    }
    assert.deepEqual(statuses, [400, 400, 200, 200]);
  });

  it('of a definition says of a group and of a warning one thing each', async () => {
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
    const names = { plural: 'things', kind: 'Thing' };
    const errorsOf = async (spec: object) => {
      const body = {
        metadata: { name: 'x' },
        spec: { group: 'a.b', scope: 'Cluster', names, versions: [version], ...spec },
      };
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      return causes(await fixture.send({ method: 'POST', path, body })).filter(
        (cause) => !cause.startsWith('metadata'),
      );
    };
    assert.deepEqual(await errorsOf({ group: '-' }), ['spec.group Invalid']);
    assert.deepEqual(await errorsOf({ versions: [{ ...version, deprecationWarning: '' }] }), [
      'spec.versions[0].deprecationWarning Invalid',
    ]);
  });

  it('is none where a Job is written through its status: its labels are those of the template that was sent', async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container], restartPolicy: 'Never' } };
    const path = '/apis/batch/v1/namespaces/default/jobs';
    assert.equal((await post(path, { spec: { template } })).status, 201);
    const body = { metadata: { name: 'x' }, spec: { template: { metadata: { labels: { c: 'd' } } } } };
    const response = await fixture.send({ method: 'PUT', path: `${path}/x/status`, body });
    assert.deepEqual(response.at('metadata.labels'), { c: 'd' });
  });

  it('of a controller revision is for data that is null, and for each change of data', async () => {
    for (const [index, data] of [0, '', false, [], {}].entries()) {
      const name = `d${index}`;
      assert.equal((await post(revisions, { metadata: { name }, data })).status, 201, name);
    }
    assert.deepEqual(causes(await post(revisions, { data: null })), ['data Required']);
    await post(revisions, { data: {} });
    const changed = await fixture.send({ method: 'PATCH', path: `${revisions}/x`, body: { data: null }, type: merge });
    assert.deepEqual(causes(changed), ['data Required', 'data Invalid']);
  });

  it('of an object that is not there warns of repeated owners in its body', async () => {
    const response = await fixture.send({ method: 'PUT', path: '/api/v1/nodes/x/status', body: twiceOwned });
    assert.equal(response.status, 404);
    assert.equal(response.headers['warning'], warning(''));
  });

  it('is no refusal: a patch that repeats an owner is warned of with other words', async () => {
    await fixture.send({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name: 'x' } } });
    const response = await fixture.send({ method: 'PATCH', path: '/api/v1/nodes/x', body: twiceOwned, type: merge });
    assert.equal(response.status, 200);
    assert.equal(response.headers['warning'], warning(' after mutating admission happens'));
  });
});

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
const twiceOwned = { metadata: { name: 'x', ownerReferences: [owner, owner, owner] } };

function warning(when: string): string {
  const advice =
    'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests';
  const text = `.metadata.ownerReferences contains duplicate entries${when}; ${advice}; duplicate UID(s) observed: u, u`;
  return `299 - "${text}"`;
}
