import assert from 'node:assert/strict';
import { type Fixture, type Received, startFixture } from './fixture.ts';

const pods = '/api/v1/namespaces/default/pods';
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
const webhooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
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
  const causes = (answer: Received) =>
    (answer.at('details.causes') as { field: string; reason: string }[]).map(
      ({ field, reason }) => `${field} ${reason.replace('FieldValue', '')}`,
    );

  it('of a probe of an init container names what is wrong in it, and that it is there', async () => {
    const initContainers = [{ name: 'i', image: 'i', livenessProbe: {} }];
    const answer = await post(pods, { spec: { containers: [container], initContainers } });
    const field = 'spec.initContainers[0].livenessProbe';
    assert.deepEqual(causes(answer), [`${field} Required`, `${field} Invalid`]);
  });

  it('of mounts that spread into an unprivileged container names all of them at once', async () => {
    const volumeMounts = [{ name: 'v', mountPath: '/v', mountPropagation: 'Bidirectional' }];
    const volumes = [{ name: 'v', emptyDir: {} }];
    const answer = await post(pods, { spec: { containers: [{ ...container, volumeMounts }], volumes } });
    assert.deepEqual(causes(answer), ['spec.containers[0].volumeMounts.mountPropagation Forbidden']);
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
    const answer = await post(webhooks, { webhooks: [webhook] });
    assert.deepEqual(causes(answer), ['webhooks[0].clientConfig Required']);
  });

  it('of a controller revision is for data that is null, and for each change of data', async () => {
    for (const [index, data] of [0, '', false, [], {}].entries()) {
      const name = `d${index}`;
      assert.equal((await post(revisions, { metadata: { name }, data })).status, 201, name);
    }
    assert.deepEqual(causes(await post(revisions, { data: null })), ['data Required']);
    await post(revisions, { data: {} });
    const type = 'application/merge-patch+json';
    const changed = await fixture.send({ method: 'PATCH', path: `${revisions}/x`, body: { data: null }, type });
    assert.deepEqual(causes(changed), ['data Required', 'data Invalid']);
  });

  it('of an object that is not there warns of repeated owners in its body', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
    const body = { metadata: { name: 'x', ownerReferences: [owner, owner, owner] } };
    const answer = await fixture.send({ method: 'PUT', path: '/api/v1/nodes/x/status', body });
    assert.equal(answer.status, 404);
    assert.match(
      String(answer.headers['warning']),
      /^299 - "\.metadata\.ownerReferences contains duplicate entries; API server dedups owner references in 1\.20\+, and may reject such requests as early as 1\.24; please fix your requests; duplicate UID\(s\) observed: u, u"$/,
    );
  });
});
