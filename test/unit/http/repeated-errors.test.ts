import assert from 'node:assert/strict';
import { type Fixture, startFixture } from './fixture.ts';

const pods = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = { spec: { selector: { matchLabels: { a: 'b' } }, template: pods } };

type Row = readonly [path: string, kind: string, object: object, labels: number, uid: number];

/** How often each kind tells of a malformed label, and of another uid. */
const rows: readonly Row[] = [
  ['/api/v1/namespaces/default/configmaps', 'ConfigMap', {}, 4, 2],
  ['/api/v1/namespaces/default/limitranges', 'LimitRange', { spec: { limits: [] } }, 3, 1],
  ['/api/v1/namespaces/default/podtemplates', 'PodTemplate', { template: pods }, 3, 2],
  ['/apis/apps/v1/namespaces/default/deployments', 'Deployment', workload, 3, 2],
  ['/apis/apps/v1/namespaces/default/daemonsets', 'DaemonSet', workload, 4, 2],
  ['/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets', 'PodDisruptionBudget', {}, 2, 1],
  ['/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', 'Role', {}, 5, 2],
];

describe('an update of', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const type = 'application/merge-patch+json';
  const causesOf = async (path: string, body: object): Promise<readonly string[]> => {
    const answer = await fixture.send({ method: 'PATCH', path, body, type });
    assert.equal(answer.status, 422, answer.text);
    return (answer.at('details.causes') as { field: string }[]).map(({ field }) => field);
  };

  for (const [path, kind, object, labels, uid] of rows) {
    it(`a ${kind} tells of the metadata as often as kube-apiserver does`, async () => {
      const apiVersion = path.split('/namespaces/')[0]?.replace(/^\/apis?\//, '');
      const created = await fixture.send({
        method: 'POST',
        path,
        body: { apiVersion, kind, metadata: { name: 'x' }, ...object },
      });
      assert.equal(created.status, 201, created.text);
      const malformed = await causesOf(`${path}/x`, { metadata: { labels: { 'a b': '' } } });
      assert.deepEqual(malformed, Array(labels).fill('metadata.labels'));
      const other = await causesOf(`${path}/x`, { metadata: { uid: 'another' } });
      assert.deepEqual(other, Array(uid).fill('metadata.uid'));
    });
  }

  it('a DaemonSet tells of its spec twice, a Deployment once', async () => {
    const policy = { spec: { template: { spec: { restartPolicy: 'Never' } } } };
    const field = 'spec.template.spec.restartPolicy';
    const path = '/apis/apps/v1/namespaces/default';
    assert.deepEqual(await causesOf(`${path}/daemonsets/x`, policy), [field, field]);
    assert.deepEqual(await causesOf(`${path}/deployments/x`, policy), [field]);
  });
});
