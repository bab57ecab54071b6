import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';
import { until } from './until.ts';

const tokens = [
  { token: 'n1', username: 'system:node:n1', groups: ['system:nodes'] },
  { token: 'nameless', username: 'system:node:', groups: ['system:nodes'] },
  { token: 'ann', username: 'ann', groups: [] },
];

const core = '/api/v1/namespaces/n';
const leases = '/apis/coordination.cl.io/v1/namespaces/cl-node-lease/leases';
const csiNodes = '/apis/storage.cl.io/v1/csinodes';
const mirror = 'cluster.io/config.mirror';

const podOf = (name: string, nodeName: string, spec: object = {}, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  spec: { nodeName, containers: [{ name: 'c', image: 'i' }], ...spec },
});

describe('the restriction of nodes', () => {
  let server: TestServer;
  let nodeUid = '';

  const as = async (token: string, method: string, url: string, body?: object): Promise<HttpResponse> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    return await request({ ...server, token }, method, url, body, body ? { 'content-type': type } : {});
  };
  const asNode = (method: string, url: string, body?: object) => as('n1', method, url, body);
  const write = async (url: string, body: object): Promise<unknown> => {
    const response = await request(server, 'POST', url, body);
    assert.ok(response.status < 300, response.text);
    return response.body;
  };
  const allowed = async (response: Promise<HttpResponse>): Promise<void> => {
    const { status, text } = await response;
    assert.ok(status < 300, text);
  };
  /** Asserts that a request of the node is refused, with the end of the message of kube-apiserver. */
  const refused = async (response: Promise<HttpResponse>, why: string): Promise<void> => {
    const { status, body, text } = await response;
    assert.equal(status, 403, text);
    const { message } = body as { message: string };
    assert.ok(message.endsWith(` is forbidden: ${why}`), message);
  };

  before(async () => {
    // Authorization allows everything, so that only the plugin refuses.
    const admissionPlugins = { enabled: ['NodeRestriction'], disabled: [] };
    server = await startServer({ tokens, admissionPlugins, authorizationMode: 'AlwaysAllow', store: 'memory' });
    await write('/api/v1/namespaces', { metadata: { name: 'n' } });
    await write('/api/v1/nodes', { metadata: { name: 'n2' } });
    const node = (await write('/api/v1/nodes', { metadata: { name: 'n1' } })) as { metadata: { uid: string } };
    nodeUid = node.metadata.uid;
    await write(`${core}/pods`, podOf('mine', 'n1'));
    await write(`${core}/pods`, podOf('theirs', 'n2'));
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await write(`${core}/persistentvolumeclaims`, { metadata: { name: 'claim' }, spec });
  });
  after(() => server.stop());

  it('lets a node create and change only its own Node', async () => {
    await refused(
      asNode('POST', '/api/v1/nodes', { metadata: { name: 'n3' } }),
      'node "n1" is not allowed to modify node "n3"',
    );
    for (const url of ['/api/v1/nodes/n2', '/api/v1/nodes/n2/status']) {
      const change = { metadata: { labels: { a: 'b' } } };
      await refused(asNode('PATCH', url, change), 'node "n1" is not allowed to modify node "n2"');
    }
    await refused(asNode('DELETE', '/api/v1/nodes/n2'), 'node "n1" is not allowed to modify node "n2"');
    await allowed(asNode('PATCH', '/api/v1/nodes/n1', { metadata: { labels: { a: 'b' } } }));
  });

  it('keeps a node from naming the source of its configuration', async () => {
    const configSource = { configMap: { namespace: 'n', name: 'c', kubeletConfigKey: 'k' } };
    await refused(
      asNode('POST', '/api/v1/nodes', { metadata: { name: 'n1' }, spec: { configSource } }),
      'node "n1" is not allowed to create pods with a non-nil configSource',
    );
    await refused(
      asNode('PATCH', '/api/v1/nodes/n1', { spec: { configSource } }),
      'node "n1" is not allowed to update configSource to a new non-nil configSource',
    );
  });

  it('names the foreign Node before anything else that a node may not change', () =>
    refused(
      asNode('PATCH', '/api/v1/nodes/n2', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }),
      'node "n1" is not allowed to modify node "n2"',
    ));

  it('keeps a node from labels that place workloads, and from its taints', async () => {
    const labels = { 'node-restriction.cluster.io/x': '1', 'foo.cl.io/y': '1', 'cluster.io/os': 'linux' };
    await refused(
      asNode('PATCH', '/api/v1/nodes/n1', { metadata: { labels } }),
      'is not allowed to modify labels: foo.cl.io/y, node-restriction.cluster.io/x',
    );
    await refused(
      asNode('POST', '/api/v1/nodes', { metadata: { name: 'n1', labels } }),
      'node "n1" is not allowed to set the following labels: foo.cl.io/y, node-restriction.cluster.io/x',
    );
    const free = { 'cluster.io/os': 'linux', 'a.node.cluster.io/z': '1', 'nodeagent.cluster.io/z': '1', 'x.io/y': 'z' };
    await allowed(asNode('PATCH', '/api/v1/nodes/n1', { metadata: { labels: free } }));
    await refused(
      asNode('PATCH', '/api/v1/nodes/n1', { spec: { taints: [] } }),
      'node "n1" is not allowed to modify taints',
    );
  });

  it('keeps a node from owners of its Node, which would let it be collected and made again', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'none', uid: 'u' };
    const why = 'node "n1" is not allowed to modify ownerReferences';
    for (const url of ['/api/v1/nodes/n1', '/api/v1/nodes/n1/status']) {
      await refused(asNode('PATCH', url, { metadata: { ownerReferences: [owner] } }), why);
    }
    await allowed(as('ann', 'PATCH', '/api/v1/nodes/n1', { metadata: { ownerReferences: [owner] } }));
    await refused(asNode('PATCH', '/api/v1/nodes/n1', { metadata: { ownerReferences: [] } }), why);
    await allowed(asNode('PATCH', '/api/v1/nodes/n1', { metadata: { annotations: { a: 'b' } } }));
    await allowed(as('ann', 'PATCH', '/api/v1/nodes/n1', { metadata: { ownerReferences: null } }));
    await refused(
      asNode('POST', '/api/v1/nodes', { metadata: { name: 'n1', ownerReferences: [owner] } }),
      'node "n1" is not allowed to set ownerReferences',
    );
  });

  it('lets a node create mirror pods that refer to nothing, and delete pods on it', async () => {
    const url = `${core}/pods`;
    const annotations = { [mirror]: 'x' };
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: nodeUid, controller: true };
    const createOwned = (owners: readonly object[], spec: object = {}, nodeName = 'n1') =>
      asNode('POST', url, podOf('mirror', nodeName, spec, { annotations, ownerReferences: owners }));
    await refused(
      asNode('POST', url, podOf('mirror', 'n1')),
      `pod does not have "${mirror}" annotation, node "n1" can only create mirror pods`,
    );
    await refused(createOwned([owner], {}, 'n2'), 'node "n1" can only create pods with spec.nodeName set to itself');
    const itself = 'node "n1" can only create pods with an owner reference set to itself';
    await refused(createOwned([]), itself);
    await refused(createOwned([{ ...owner, name: 'n2' }]), itself);
    await refused(
      createOwned([owner, { ...owner, uid: 'x', controller: false }]),
      'node "n1" can only create pods with a single owner reference set to itself',
    );
    await refused(
      createOwned([{ ...owner, controller: false }]),
      'node "n1" can only create pods with a controller owner reference set to itself',
    );
    await refused(
      createOwned([{ ...owner, blockOwnerDeletion: true }]),
      'node "n1" must not set blockOwnerDeletion on an owner reference',
    );
    await refused(createOwned([{ ...owner, uid: 'x' }]), `node n1 UID mismatch: expected x got ${nodeUid}`);
    const volumes = (volume: object): object => ({ volumes: [{ name: 'v', ...volume }] });
    const references: readonly (readonly [spec: object, what: string])[] = [
      [{ serviceAccountName: 'a' }, 'a service account'],
      [{ imagePullSecrets: [{ name: 's' }] }, 'secrets'],
      [volumes({ configMap: { name: 's' } }), 'configmaps'],
      [volumes({ persistentVolumeClaim: { claimName: 's' } }), 'persistentvolumeclaims'],
    ];
    for (const [spec, what] of references) {
      await refused(createOwned([owner], spec), `node "n1" can not create pods that reference ${what}`);
    }
    await allowed(createOwned([owner]));
    await refused(asNode('DELETE', `${url}/theirs`), 'node "n1" can only delete pods with spec.nodeName set to itself');
    await allowed(asNode('DELETE', `${url}/mirror`));
    assert.equal((await asNode('DELETE', `${url}/missing`)).status, 404);
  });

  it('keeps a node from deleting the pods of others together with its own', async () => {
    await refused(
      asNode('DELETE', `${core}/pods?fieldSelector=metadata.name%3Dtheirs`),
      'node "n1" can only delete pods with spec.nodeName set to itself',
    );
  });

  it('lets a node change the status of pods on it, and evict them', async () => {
    const running = { status: { phase: 'Running' } };
    await refused(
      asNode('PATCH', `${core}/pods/theirs/status`, running),
      'node "n1" can only update pod status for pods with spec.nodeName set to itself',
    );
    await refused(
      asNode('PATCH', `${core}/pods/mine/status`, { ...running, metadata: { labels: { a: 'b' } } }),
      'node "n1" cannot update labels through pod status',
    );
    await allowed(asNode('PATCH', `${core}/pods/mine/status`, running));
    await refused(
      asNode('PATCH', `${core}/pods/mine`, { metadata: { labels: { a: 'b' } } }),
      'unexpected operation "UPDATE", node "n1" can only create and delete mirror pods',
    );
    const binding = { metadata: { name: 'mine' }, target: { name: 'n1' } };
    await refused(
      asNode('POST', `${core}/pods/mine/binding`, binding),
      "unexpected pod subresource \"binding\", only 'status' and 'eviction' are allowed",
    );
    const evict = (name: string) => asNode('POST', `${core}/pods/${name}/eviction`, { metadata: { name } });
    await refused(evict('theirs'), 'node n1 can only evict pods with spec.nodeName set to itself');
    assert.equal((await evict('missing')).status, 404);
    await allowed(evict('mine'));
  });

  it('lets a node report the size and conditions of claims', async () => {
    const url = `${core}/persistentvolumeclaims/claim`;
    await refused(asNode('PATCH', url, { metadata: { labels: { a: 'b' } } }), 'may only update PVC status');
    await allowed(asNode('PATCH', `${url}/status`, { status: { capacity: { storage: '2Gi' } } }));
    await refused(
      asNode('PATCH', `${url}/status`, { status: { phase: 'Bound' } }),
      'node "n1" is not allowed to update fields other than status.capacity and status.conditions',
    );
  });

  it('lets a node write its own Lease and CSINode', async () => {
    await refused(
      asNode('POST', leases, { metadata: { name: 'n2' } }),
      'can only access node lease with the same name as the requesting node',
    );
    await refused(
      asNode('POST', '/apis/coordination.cl.io/v1/namespaces/n/leases', { metadata: { name: 'n1' } }),
      'can only access leases in the "cl-node-lease" system namespace',
    );
    await allowed(asNode('POST', leases, { metadata: { name: 'n1' } }));
    const spec = { drivers: [] };
    await refused(
      asNode('POST', csiNodes, { metadata: { name: 'n2' }, spec }),
      'can only access CSINode with the same name as the requesting node',
    );
    await allowed(asNode('POST', csiNodes, { metadata: { name: 'n1' }, spec }));
  });

  it('refuses every write of a node without a name, and none of other users', async () => {
    const map = { metadata: { name: 'm' } };
    await refused(
      as('nameless', 'POST', `${core}/configmaps`, map),
      'could not determine node from user "system:node:"',
    );
    await allowed(as('ann', 'POST', `${core}/configmaps`, map));
    await allowed(as('ann', 'PATCH', '/api/v1/nodes/n2', { spec: { taints: [] } }));
  });

  it('is off by default', async () => {
    await using other = await startServer({ tokens, authorizationMode: 'AlwaysAllow', store: 'memory' });
    const response = await request({ ...other, token: 'n1' }, 'POST', '/api/v1/nodes', { metadata: { name: 'n3' } });
    assert.equal(response.status, 201, response.text);
  });
});

describe('NodeRestriction in releases that restrict token audiences', () => {
  let server: TestServer;
  let podUid = '';

  const write = async (url: string, body: object): Promise<unknown> => {
    const response = await request(server, 'POST', url, body);
    assert.ok(response.status < 300, response.text);
    return response.body;
  };

  before(async () => {
    server = await startServer({
      emulatedRelease: '1.34',
      tokens,
      admissionPlugins: { enabled: ['NodeRestriction'], disabled: [] },
      authorizationMode: ['Node', 'RBAC'],
      store: 'memory',
    });
    await write('/api/v1/namespaces', { metadata: { name: 'n' } });
    await write(`${core}/serviceaccounts`, { metadata: { name: 'robot' } });
    await write('/apis/storage.cl.io/v1/csidrivers', {
      metadata: { name: 'disks.example.com' },
      spec: { tokenRequests: [{ audience: 'disks' }] },
    });
    await write('/api/v1/persistentvolumes', {
      metadata: { name: 'disk' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        csi: { driver: 'disks.example.com', volumeHandle: 'h' },
      },
    });
    await write(`${core}/persistentvolumeclaims`, {
      metadata: { name: 'claim' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName: 'disk' },
    });
    const sources = [{ serviceAccountToken: { path: 'token', audience: 'vault' } }];
    const volumes = [
      { name: 'vault', projected: { sources } },
      { name: 'disk', persistentVolumeClaim: { claimName: 'claim' } },
    ];
    const pod = await write(`${core}/pods`, podOf('mine', 'n1', { serviceAccountName: 'robot', volumes }));
    podUid = (pod as { readonly metadata: { readonly uid: string } }).metadata.uid;
  });
  after(() => server?.stop());

  const ask = async (...audiences: readonly string[]): Promise<HttpResponse> => {
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'mine', uid: podUid };
    const url = `${core}/serviceaccounts/robot/token`;
    return await request({ ...server, token: 'n1' }, 'POST', url, { spec: { audiences, boundObjectRef } });
  };

  it('allows tokens for audiences that volumes of the pod or their drivers use', async () => {
    for (const audience of ['vault', 'disks']) {
      const { status, text } = await ask(audience);
      assert.equal(status, 201, text);
    }
  });

  it('refuses others, and several at once', async () => {
    const other = await ask('registry');
    assert.equal(other.status, 403);
    assert.match(
      other.text,
      /audience \\"registry\\" not found in pod spec volume, system:node:n1 is not authorized to request tokens/,
    );
    assert.match((await ask('vault', 'disks')).text, /node may only request 0 or 1 audiences/);
  });

  it('allows another audience to a node with the right to it', async () => {
    const rules = [{ verbs: ['request-serviceaccounts-token-audience'], apiGroups: [''], resources: ['registry'] }];
    const group = 'rbac.authorization.cl.io';
    await write(`/apis/${group}/v1/clusterroles`, { metadata: { name: 'registry' }, rules });
    await write(`/apis/${group}/v1/clusterrolebindings`, {
      metadata: { name: 'registry' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'registry' },
      subjects: [{ apiGroup: group, kind: 'Group', name: 'system:nodes' }],
    });
    await until('the right', async () => (await ask('registry')).status === 201);
  });

  it('keeps a node from publishing devices of another one', async () => {
    const slice = (nodeName: string): object => ({
      metadata: { name: nodeName },
      spec: {
        driver: 'gpus.example.com',
        nodeName,
        pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'gpu-0' }],
      },
    });
    const publish = (nodeName: string) =>
      request({ ...server, token: 'n1' }, 'POST', '/apis/resource.cl.io/v1/resourceslices', slice(nodeName));
    const own = await publish('n1');
    assert.equal(own.status, 201, own.text);
    const other = await publish('n2');
    assert.equal(other.status, 403);
    assert.match(other.text, /can only create ResourceSlice with the same NodeName as the requesting node/);
    const gone = await request(server, 'DELETE', '/apis/resource.cl.io/v1/resourceslices/n1');
    // As kube-apiserver does, so that a driver knows which devices are gone.
    assert.equal((gone.body as { kind: string }).kind, 'ResourceSlice', gone.text);
  });

  it('keeps a node from naming resource claims in the status of its pod', async () => {
    const status = { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'other' }] };
    const type = { 'content-type': 'application/merge-patch+json' };
    const response = await request({ ...server, token: 'n1' }, 'PATCH', `${core}/pods/mine/status`, { status }, type);
    assert.equal(response.status, 403, response.text);
    assert.match(response.text, /cannot update resource claim statuses/);
  });
});
