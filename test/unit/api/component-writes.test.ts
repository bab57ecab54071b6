import assert from 'node:assert/strict';
import { type Fixture, type Received, startFixture } from './fixture.ts';

const strategic = 'application/strategic-merge-patch+json';
const merge = 'application/merge-patch+json';
const pods = '/api/v1/namespaces/default/pods';
const nodes = '/api/v1/nodes';
const another = '11111111-2222-3333-4444-555555555555';

describe('what components of a cluster write', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await startFixture();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const patch = (path: string, body: object, type = merge): Promise<Received> =>
    fixture.send({ method: 'PATCH', path, body, type });
  const createPod = (spec: object = {}): Promise<Received> => {
    const body = { kind: 'Pod', apiVersion: 'v1', spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
    return fixture.send({ method: 'POST', path: pods, body: { ...body, metadata: { name: 'p' } } });
  };
  const patchStatus = (status: object, metadata = {}): Promise<Received> =>
    patch(`${pods}/p/status`, { metadata, status }, strategic);

  describe('of the status of a pod', () => {
    it('knows the one address under both names, and believes the older one', async () => {
      await createPod();
      assert.deepEqual((await patchStatus({ podIP: '10.1.0.9' })).at('status.podIPs'), [{ ip: '10.1.0.9' }]);
      assert.deepEqual((await patchStatus({ podIP: '10.1.0.8' })).at('status.podIPs'), [{ ip: '10.1.0.8' }]);
      const both = await patch(`${pods}/p/status`, {
        status: { podIP: null, podIPs: [{ ip: '10.1.0.7' }, { ip: '::7' }] },
      });
      assert.equal(both.at('status.podIP'), '10.1.0.7');
      assert.deepEqual(both.at('status.podIPs'), [{ ip: '10.1.0.7' }, { ip: '::7' }]);
    });

    it('leaves its owners alone', async () => {
      await createPod();
      const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }];
      const response = await patchStatus({ phase: 'Running' }, { ownerReferences, labels: { a: 'b' } });
      assert.equal(response.at('metadata.ownerReferences'), undefined);
      assert.equal(response.at('metadata.labels.a'), 'b');
      assert.doesNotMatch(JSON.stringify(response.at('metadata.managedFields')), /ownerReferences/);
    });

    it('refuses conditions and nodes that nothing can be called', async () => {
      await createPod();
      const conditions = [
        { type: 'Ready', status: 'True' },
        { type: 'my gate', status: 'True' },
      ];
      const response = await patchStatus({ conditions, nominatedNodeName: 'A_' });
      assert.equal(response.status, 422);
      assert.equal(response.at('details.causes.0.field'), 'metadata.conditions[1].Type');
      assert.equal(response.at('details.causes.1.field'), 'status.nominatedNodeName');
    });

    const ended = (exitCode: number) => [{ name: 'c', image: 'i', imageID: '', state: { terminated: { exitCode } } }];
    const running = [{ name: 'c', image: 'i', imageID: '', state: { running: {} } }];
    const rows = [
      ['Never', 1, 422],
      ['OnFailure', 0, 422],
      ['OnFailure', 1, 200],
      ['Always', 0, 200],
    ] as const;
    for (const [restartPolicy, exitCode, status] of rows) {
      const verb = status === 200 ? 'lets' : 'does not let';
      it(`${verb} a container run again that ended with ${exitCode} under ${restartPolicy}`, async () => {
        await createPod({ restartPolicy });
        await patchStatus({ containerStatuses: ended(exitCode) });
        const response = await patch(`${pods}/p/status`, { status: { containerStatuses: running } });
        assert.equal(response.status, status, response.text);
        if (status === 200) return;
        assert.equal(
          response.at('message'),
          'Pod "p" is invalid: status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
        );
      });
    }
  });

  it('a node has two addresses of one type after its agent replaced the list', async () => {
    const addresses = [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'InternalIP', address: 'fd00::1' },
      { type: 'Hostname', address: 'n' },
    ];
    await fixture.send({
      method: 'POST',
      path: nodes,
      body: { kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' }, status: { addresses: addresses.slice(2) } },
    });
    for (const list of [
      [...addresses, { $patch: 'replace' }],
      [{ $patch: 'replace' }, ...addresses.slice(1)],
    ]) {
      const response = await patch(`${nodes}/n/status`, { status: { addresses: list } }, strategic);
      assert.deepEqual(
        response.at('status.addresses'),
        list.filter((item) => 'type' in item),
      );
    }
  });

  describe('of an object that is gone', () => {
    const put = (path: string, body: object): Promise<Received> => fixture.send({ method: 'PUT', path, body });
    const scale = (metadata: object) => ({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata,
      spec: { replicas: 1 },
    });

    it('an update that means one by its uid is a conflict, any other finds nothing', async () => {
      const path = '/api/v1/namespaces/default/configmaps/x';
      const body = { kind: 'ConfigMap', apiVersion: 'v1' };
      const meant = await put(path, { ...body, metadata: { name: 'x', uid: another } });
      assert.equal(meant.status, 409, meant.text);
      assert.match(String(meant.at('message')), /UID in precondition: 1{8}-.*, UID in object meta: $/);
      assert.equal((await put(path, { ...body, metadata: { name: 'x', resourceVersion: '7' } })).status, 404);
      const status = await put(`${pods}/x/status`, {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { name: 'x', uid: another },
      });
      assert.equal(status.status, 409, status.text);
    });

    const apps = '/apis/apps/v1/namespaces/default';
    const rows = [
      [`${apps}/deployments`, 'deployments/scale.apps', 'deployments.apps'],
      [`${apps}/replicasets`, 'replicasets/scale.apps', 'replicasets.apps'],
      [`${apps}/statefulsets`, 'statefulsets.apps', 'statefulsets.apps'],
      [
        '/api/v1/namespaces/default/replicationcontrollers',
        'replicationcontrollers/scale.autoscaling',
        'replicationcontrollers',
      ],
    ] as const;
    for (const [path, read, written] of rows) {
      it(`its scale is missing as ${read} for readers and as ${written} for writers`, async () => {
        const responses = [
          await fixture.send({ path: `${path}/x/scale` }),
          await put(`${path}/x/scale`, scale({ name: 'x' })),
          await patch(`${path}/x/scale`, { spec: { replicas: 1 } }),
        ];
        assert.deepEqual(
          responses.map((response) => response.at('message')),
          [read, written, written].map((name) => `${name} "x" not found`),
        );
      });
    }
  });
});
