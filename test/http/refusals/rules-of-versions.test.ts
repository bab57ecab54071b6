import assert from 'node:assert/strict';
import { type Fixture, type Received, startFixture } from '../../unit/api/fixture.ts';

const merge = 'application/merge-patch+json';
const apps = '/apis/apps/v1/namespaces/default';
const attachments = (version: string): string => `/apis/storage.k8s.io/${version}/volumeattachments`;
const template = {
  metadata: { labels: { app: 'x' } },
  spec: { restartPolicy: 'Always', containers: [{ name: 'c', image: 'i:1' }] },
};
const workload = { selector: { matchLabels: { app: 'x' } }, template, serviceName: 's' };

/** Defaults and rules that depend on the version of a request, its sub-resource, or where a part stands. */
describe('defaults and rules by place', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await startFixture();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const post = (path: string, metadata: object, rest: object): Promise<Received> =>
    fixture.send({ method: 'POST', path, body: { metadata, ...rest } });
  const patch = (path: string, body: object): Promise<Received> =>
    fixture.send({ method: 'PATCH', path, body, type: merge });
  const causes = (response: Received): unknown[] =>
    (response.at('details.causes') as { field: string; message: string }[]).map(({ field, message }) => [
      field,
      message,
    ]);

  it('gives a StatefulSet that names its type alone no partition', async () => {
    const made = await post(
      `${apps}/statefulsets`,
      { name: 'w' },
      { spec: { ...workload, updateStrategy: { type: 'RollingUpdate' } } },
    );
    assert.deepEqual(made.at('spec.updateStrategy'), { type: 'RollingUpdate' });
    const plain = await post(`${apps}/statefulsets`, { name: 'v' }, { spec: workload });
    assert.deepEqual(plain.at('spec.updateStrategy'), { type: 'RollingUpdate', rollingUpdate: { partition: 0 } });
  });

  it('fills the numbers of a rollout that a DaemonSet does not use with none', async () => {
    const updateStrategy = { type: 'OnDelete', rollingUpdate: {} };
    const made = await post(`${apps}/daemonsets`, { name: 'w' }, { spec: { ...workload, updateStrategy } });
    assert.deepEqual(made.at('spec.updateStrategy.rollingUpdate'), { maxUnavailable: 0, maxSurge: 0 });
    const rolled = await patch(`${apps}/daemonsets/w`, { spec: { updateStrategy: { type: 'RollingUpdate' } } });
    assert.equal(rolled.status, 422);
  });

  it('labels a ReplicationController and a Job as their pods in writes of the status too', async () => {
    const controllers = '/api/v1/namespaces/default/replicationcontrollers';
    await post(controllers, { name: 'r' }, { spec: { template } });
    const status = await patch(`${controllers}/r/status`, { metadata: { labels: null } });
    assert.deepEqual(status.at('metadata.labels'), { app: 'x' });

    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const job = await post(
      jobs,
      { name: 'j' },
      { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } },
    );
    const written = await patch(`${jobs}/j/status`, { metadata: { labels: null } });
    assert.deepEqual(written.at('metadata.labels'), job.at('spec.template.metadata.labels'));
  });

  it('gives a volume in an attachment no defaults of volumes', async () => {
    const inlineVolumeSpec = { accessModes: ['ReadWriteOnce'], csi: { driver: 'd', volumeHandle: 'h' } };
    const made = await post(
      attachments('v1'),
      { name: 'a' },
      { spec: { attacher: 'a', nodeName: 'n', source: { inlineVolumeSpec } } },
    );
    assert.deepEqual(made.at('spec.source.inlineVolumeSpec'), inlineVolumeSpec);
  });

  it('asks for the name of a volume in a new attachment of v1 alone', async () => {
    const attachment = (persistentVolumeName: string): object => ({
      spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName } },
    });
    assert.equal((await post(attachments('v1'), { name: 'a' }, attachment('A_'))).status, 422);
    assert.equal((await post(attachments('v1beta1'), { name: 'a' }, attachment('A_'))).status, 201);
    const fields = (response: Received): unknown[] => causes(response).map((cause) => (cause as string[])[0]);
    const refused = await patch(`${attachments('v1')}/a`, { spec: { source: { persistentVolumeName: 'B_' } } });
    assert.deepEqual([...new Set(fields(refused))], ['spec']);
  });

  it('checks the counts in the status of a PodDisruptionBudget in v1 alone', async () => {
    const budgets = (version: string): string => `/apis/policy/${version}/namespaces/default/poddisruptionbudgets`;
    await post(budgets('v1'), { name: 'b' }, {});
    const status = { desiredHealthy: -1, expectedPods: 0, currentHealthy: 0, disruptionsAllowed: 0 };
    assert.equal((await patch(`${budgets('v1beta1')}/b/status`, { status })).status, 200);
    assert.deepEqual(causes(await patch(`${budgets('v1')}/b/status`, { status })), [
      ['status.desiredHealthy', 'Invalid value: -1: must be greater than or equal to 0'],
    ]);
  });

  it('lets an Event of the core group have any finalizer', async () => {
    const events = '/api/v1/namespaces/default/events';
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
    assert.equal((await post(events, { name: 'e', finalizers: ['mine'] }, { involvedObject })).status, 201);
    const newer = '/apis/events.k8s.io/v1/namespaces/default/events/e';
    const refused = await patch(newer, { metadata: { finalizers: ['a.b/c', 'mine'] } });
    assert.deepEqual(causes(refused), [
      [
        'metadata.finalizers[1]',
        'Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ]);
  });

  it('refuses to delete the classes of the system by their names', async () => {
    const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
    await post(classes, { name: 'system-node-critical' }, { value: 2_000_001_000 });
    const refused = await fixture.send({ method: 'DELETE', path: `${classes}/system-node-critical` });
    assert.equal(refused.status, 403);
    assert.equal(
      refused.at('message'),
      'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: ' +
        'this is a system priority class and cannot be deleted',
    );
    assert.equal((await fixture.send({ method: 'DELETE', path: classes })).status, 200);
  });

  it('reads a port that is an empty text as a service of v1beta1 without a name', async () => {
    const ingresses = '/apis/networking.k8s.io/v1beta1/namespaces/default/ingresses';
    const refused = await post(ingresses, { name: 'i' }, { spec: { backend: { servicePort: '' } } });
    assert.deepEqual(causes(refused), [
      ['spec.backend.serviceName', 'Required value'],
      ['spec.backend', 'Required value: port name or number is required'],
    ]);
  });

  it('refuses options of a mount for volumes that have none, where they once stood', async () => {
    const annotation = 'volume.beta.kubernetes.io/mount-options';
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
    const volume = (source: object): Promise<Received> =>
      post(
        '/api/v1/persistentvolumes',
        { name: 'v', annotations: { [annotation]: 'ro' } },
        { spec: { ...spec, ...source } },
      );
    assert.deepEqual(causes(await volume({ hostPath: { path: '/h' } })), [
      [`metadata.annotations.${annotation}`, 'Forbidden: may not specify mount options for this volume type'],
    ]);
    assert.equal((await volume({ nfs: { server: 's', path: '/p' } })).status, 201);
  });
});
