import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const tokens = ['n1', 'n2'].map((node) => ({
  token: node,
  username: `system:node:${node}`,
  groups: ['system:nodes'],
}));
tokens.push(
  { token: 'nameless', username: 'system:node:', groups: ['system:nodes'] },
  { token: 'outsider', username: 'system:node:n1', groups: [] },
);

const core = '/api/v1/namespaces/n';
const storage = '/apis/storage.cl.io/v1';
const leases = '/apis/coordination.cl.io/v1/namespaces/cl-node-lease/leases';

const unrelated = "no relationship found between node 'n1' and this object";

/** A pod of a node with references of each kind. */
const pod = (name: string, nodeName: string, spec: object): object => ({
  metadata: { name, namespace: 'n' },
  spec: { nodeName, containers: [{ name: 'c', image: 'i' }], ...spec },
});

const references = {
  serviceAccountName: 'robot',
  imagePullSecrets: [{ name: 'pull' }],
  initContainers: [{ name: 'i', image: 'i', envFrom: [{ secretRef: { name: 'env-from' } }] }],
  containers: [
    {
      name: 'c',
      image: 'i',
      envFrom: [{ configMapRef: { name: 'map-from' } }],
      env: [
        { name: 'A', valueFrom: { secretKeyRef: { name: 'env', key: 'k' } } },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 'map-env', key: 'k' } } },
      ],
    },
  ],
  volumes: [
    { name: 'a', secret: { secretName: 'volume' } },
    { name: 'b', configMap: { name: 'map-volume' } },
    {
      name: 'c',
      projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'map-projected' } }] },
    },
    { name: 'd', persistentVolumeClaim: { claimName: 'claim' } },
    { name: 'e', csi: { driver: 'd', nodePublishSecretRef: { name: 'csi' } } },
    { name: 'f', azureFile: { shareName: 's', secretName: 'azure' } },
    { name: 'g', cephfs: { monitors: ['m'], secretRef: { name: 'ceph' } } },
  ],
};

const volume = {
  metadata: { name: 'disk' },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    claimRef: { namespace: 'n', name: 'claim' },
    csi: {
      driver: 'd',
      volumeHandle: 'h',
      nodePublishSecretRef: { namespace: 'n', name: 'publish' },
      nodeStageSecretRef: { namespace: 'elsewhere', name: 'stage' },
      controllerPublishSecretRef: { namespace: 'n', name: 'controller' },
    },
  },
};

const readableSecrets = ['pull', 'env-from', 'env', 'volume', 'projected', 'csi', 'azure', 'ceph', 'publish'];
const readableMaps = ['map-from', 'map-env', 'map-volume', 'map-projected'];

/** Requests of the node n1 that are refused, with the reason. */
const refused: readonly (readonly [method: string, path: string, reason: string])[] = [
  ['GET', `${core}/secrets/other`, unrelated],
  ['GET', `${core}/secrets/controller`, unrelated],
  ['GET', '/api/v1/namespaces/other/secrets/env', unrelated],
  ['GET', `${core}/secrets`, 'No Object name found'],
  ['GET', '/api/v1/secrets', 'can only read namespaced object of this type'],
  ['GET', '/api/v1/secrets?fieldSelector=metadata.name%3Denv', 'can only read namespaced object of this type'],
  ['DELETE', `${core}/secrets/env`, 'can only read resources of this type'],
  ['GET', `${core}/configmaps/env`, unrelated],
  ['GET', `${core}/persistentvolumeclaims`, 'can only get individual resources of this type'],
  ['GET', `${core}/persistentvolumeclaims/other`, unrelated],
  ['GET', `${core}/persistentvolumeclaims/claim/status`, 'can only get/update/patch this type'],
  ['PATCH', `${core}/persistentvolumeclaims/claim`, 'can only get individual resources of this type'],
  ['GET', '/api/v1/persistentvolumes/other', unrelated],
  ['GET', '/api/v1/persistentvolumes/disk/status', 'cannot get subresource'],
  ['GET', `${storage}/volumeattachments`, 'can only get individual resources of this type'],
  ['GET', `${storage}/volumeattachments/of-n2`, unrelated],
  ['GET', `${core}/serviceaccounts/robot`, 'can only create tokens for individual service accounts'],
  ['POST', `${core}/serviceaccounts`, 'can only create tokens for individual service accounts'],
  ['POST', `${core}/serviceaccounts/other/token`, unrelated],
  ['GET', leases, 'can only get, create, update, patch, or delete a node lease'],
  ['GET', `${leases}/n2`, 'can only access node lease with the same name as the requesting node'],
  [
    'GET',
    '/apis/coordination.cl.io/v1/namespaces/n/leases/n1',
    'can only access leases in the \\"cl-node-lease\\" system namespace',
  ],
  ['GET', `${storage}/csinodes`, 'can only get, create, update, patch, or delete a CSINode'],
  ['DELETE', `${storage}/csinodes/n2`, 'can only access CSINode with the same name as the requesting node'],
  ['GET', '/api/v1/namespaces', ''],
  ['DELETE', '/api/v1/nodes/n1', ''],
];

/** Requests of the node n1 that are allowed. */
const allowed: readonly (readonly [method: string, path: string, status: number])[] = [
  ...readableSecrets.map((name) => ['GET', `${core}/secrets/${name}`, 404] as const),
  ...readableMaps.map((name) => ['GET', `${core}/configmaps/${name}`, 404] as const),
  ['GET', '/api/v1/namespaces/elsewhere/secrets/stage', 404],
  ['GET', `${core}/secrets?fieldSelector=metadata.name%3Denv`, 200],
  ['GET', `${core}/persistentvolumeclaims/claim`, 404],
  ['PATCH', `${core}/persistentvolumeclaims/claim/status`, 404],
  ['GET', '/api/v1/persistentvolumes/disk', 200],
  ['GET', `${storage}/volumeattachments/of-n1`, 200],
  ['GET', `${leases}/n1`, 404],
  ['GET', `${storage}/csinodes/n1`, 404],
  ['GET', '/api/v1/pods', 200],
  ['GET', '/api/v1/nodes/n2', 404],
  ['GET', '/api/v1/services', 200],
  ['GET', `${storage}/csidrivers`, 200],
  ['GET', '/apis/node.cl.io/v1/runtimeclasses', 200],
];

describe('the authorizer of nodes', () => {
  let server: TestServer;
  const as = (token: string, method: string, url: string) => {
    const headers: Record<string, string> =
      method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
    return request(
      { ...server, token },
      method,
      url,
      method === 'GET' || method === 'DELETE' ? undefined : {},
      headers,
    );
  };
  const write = async (method: string, url: string, body?: object): Promise<void> => {
    const response = await request(server, method, url, body);
    assert.ok(response.status < 300, response.text);
  };

  beforeEach(async () => {
    server = await startServer({ authorizationMode: ['Node', 'RBAC'], tokens, store: 'memory' });
    await write('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    await write('POST', `${core}/pods`, pod('p', 'n1', references));
    await write('POST', '/api/v1/persistentvolumes', volume);
    for (const node of ['n1', 'n2']) {
      const spec = { attacher: 'a', nodeName: node, source: { persistentVolumeName: 'disk' } };
      await write('POST', `${storage}/volumeattachments`, { metadata: { name: `of-${node}` }, spec });
    }
  });
  afterEach(() => server.stop());

  it('allows a node what its pods refer to, and its own objects', async () => {
    for (const [method, url, status] of allowed) {
      const response = await as('n1', method, url);
      assert.equal(response.status, status, `${method} ${url}: ${response.text}`);
    }
  });

  it('refuses everything else, with the reasons of kube-apiserver', async () => {
    for (const [method, url, reason] of refused) {
      const response = await as('n1', method, url);
      assert.equal(response.status, 403, `${method} ${url}: ${response.text}`);
      const end = reason === '' ? ' at the cluster scope","reason"' : `: ${reason}","reason"`;
      assert.ok(response.text.includes(end), `${method} ${url}: ${response.text}`);
    }
  });

  it('allows the objects of a pod to its node only', async () => {
    assert.equal((await as('n2', 'GET', `${core}/secrets/env`)).status, 403);
    await write('POST', `${core}/pods`, pod('q', 'n2', { imagePullSecrets: [{ name: 'env' }] }));
    assert.equal((await as('n2', 'GET', `${core}/secrets/env`)).status, 404);
    assert.equal((await as('n1', 'GET', `${core}/secrets/env`)).status, 404);
  });

  it('allows no more when the pod or the binding is gone', async () => {
    await write('DELETE', `${core}/pods/p?gracePeriodSeconds=0`);
    for (const secret of ['env', 'publish']) {
      assert.equal((await as('n1', 'GET', `${core}/secrets/${secret}`)).status, 403);
    }
    assert.equal((await as('n1', 'GET', '/api/v1/persistentvolumes/disk')).status, 403);
    await write('DELETE', `${storage}/volumeattachments/of-n1`);
    assert.equal((await as('n1', 'GET', `${storage}/volumeattachments/of-n1`)).status, 403);
  });

  it('allows the objects of a pod when it is bound to a node', async () => {
    await write('POST', `${core}/pods`, pod('late', '', { imagePullSecrets: [{ name: 'late' }] }));
    assert.equal((await as('n1', 'GET', `${core}/secrets/late`)).status, 403);
    await write('POST', `${core}/pods/late/binding`, {
      metadata: { name: 'late' },
      target: { kind: 'Node', name: 'n1' },
    });
    assert.equal((await as('n1', 'GET', `${core}/secrets/late`)).status, 404);
  });

  it('allows nothing because of mirror pods, which nodes create themselves', async () => {
    const mirror = { metadata: { name: 'm', namespace: 'n', annotations: { 'cluster.io/config.mirror': 'x' } } };
    await write('POST', `${core}/pods`, { ...pod('m', 'n1', { imagePullSecrets: [{ name: 'mine' }] }), ...mirror });
    assert.equal((await as('n1', 'GET', `${core}/secrets/mine`)).status, 403);
  });

  it('knows a node by the name and the group of its user', async () => {
    const nameless = await as('nameless', 'GET', '/api/v1/nodes');
    assert.equal(nameless.status, 403);
    assert.match(nameless.text, /: unknown node for user \\"system:node:\\""/);
    assert.equal((await as('outsider', 'GET', '/api/v1/nodes')).status, 403);
  });
});

describe('the node authorizer in releases with selectors', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      authorizationMode: ['Node', 'RBAC'],
      tokens,
      store: 'memory',
      emulatedRelease: '1.34',
    });
    await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    for (const [name, node] of [
      ['p', 'n1'],
      ['q', 'n2'],
    ] as const) {
      const resourceClaims = node === 'n1' ? [{ name: 'gpu', resourceClaimName: 'gpu' }] : [];
      const { status, text } = await request(server, 'POST', `${core}/pods`, pod(name, node, { resourceClaims }));
      assert.equal(status, 201, text);
      const slice = await request(server, 'POST', '/apis/resource.cl.io/v1/resourceslices', {
        metadata: { name: `of-${node}` },
        spec: {
          driver: 'gpus.example.com',
          nodeName: node,
          pool: { name: node, generation: 1, resourceSliceCount: 1 },
          devices: [{ name: 'gpu-0' }],
        },
      });
      assert.equal(slice.status, 201, slice.text);
    }
  });
  after(() => server?.stop());

  const slices = '/apis/resource.cl.io/v1/resourceslices';
  const onNode = (node: string): string => `fieldSelector=spec.nodeName%3D${node}`;
  const onlyPods = 'can only list/watch pods with spec.nodeName field selector';
  const rows: readonly (readonly [method: string, path: string, status: number, reason?: string])[] = [
    ['GET', '/api/v1/nodes/n1', 404],
    ['GET', '/api/v1/nodes?fieldSelector=metadata.name%3Dn1', 200],
    ['GET', '/api/v1/nodes/n2', 403, "node 'n1' cannot read 'n2', only its own Node object"],
    ['GET', '/api/v1/nodes', 403, "node 'n1' cannot read all nodes, only its own Node object"],
    ['GET', `/api/v1/pods?${onNode('n1')}`, 200],
    ['GET', `/api/v1/pods?${onNode('n1')},status.phase!%3DFailed`, 200],
    ['GET', `/api/v1/pods?${onNode('n2')}`, 403, onlyPods],
    ['GET', '/api/v1/pods?fieldSelector=spec.nodeName!%3Dn1', 403, onlyPods],
    ['GET', '/api/v1/pods', 403, onlyPods],
    ['GET', `/api/v1/watch/pods?${onNode('n1')}`, 403, onlyPods],
    ['GET', `${core}/pods/p`, 200],
    ['GET', `${core}/pods/q`, 403, unrelated],
    ['GET', `${core}/pods?fieldSelector=metadata.name%3Dp`, 200],
    ['GET', `${core}/pods?fieldSelector=metadata.name%3Dq`, 403, unrelated],
    ['DELETE', `${core}/pods`, 403],
    ['POST', `${core}/pods`, 422],
    ['PATCH', `${core}/pods/p`, 403],
    ['GET', `${slices}/of-n1`, 200],
    ['GET', `${slices}/of-n2`, 403, unrelated],
    ['DELETE', `${slices}/of-n2`, 403, unrelated],
    ['GET', `${slices}?${onNode('n1')}`, 200],
    ['GET', slices, 403, 'can only list/watch/deletecollection resourceslices with nodeName field selector'],
    ['POST', slices, 422],
    ['GET', '/apis/resource.cl.io/v1/namespaces/n/resourceclaims/gpu', 404],
    ['GET', '/apis/resource.cl.io/v1/namespaces/n/resourceclaims/other', 403, unrelated],
  ];
  for (const [method, path, status, reason] of rows) {
    it(`answers ${status} to ${method} ${path}`, async () => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
      const response = await request({ ...server, token: 'n1' }, method, path, body, { 'content-type': type });
      assert.equal(response.status, status, response.text);
      if (reason !== undefined) assert.ok(response.text.includes(`: ${reason}"`), response.text);
    });
  }
});

describe('the node authorizer in release 1.36', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      authorizationMode: ['Node', 'RBAC'],
      tokens,
      store: 'memory',
      emulatedRelease: '1.36',
      featureGates: ['PodCertificateRequest=true', 'ClusterTrustBundle=true'],
      runtimeConfig: ['certificates.cl.io/v1beta1=true'],
    });
    await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    await request(server, 'POST', `${core}/pods`, pod('p', 'n1', references));
  });
  after(() => server.stop());

  const requests = '/apis/certificates.cl.io/v1beta1/namespaces/n/podcertificaterequests';
  const rows: readonly (readonly [method: string, path: string, status: number, reason: string])[] = [
    ['GET', `${core}/serviceaccounts/robot`, 404, 'not found'],
    ['GET', `${core}/serviceaccounts/other`, 403, unrelated],
    ['GET', `${requests}/of-n1`, 403, unrelated],
    ['GET', `${requests}?fieldSelector=spec.nodeName%3Dn1`, 200, 'PodCertificateRequestList'],
    ['GET', requests, 403, 'can only list/watch podcertificaterequests with nodeName field selector'],
    ['DELETE', `${requests}/of-n1`, 403, 'nodes may not delete podcertificaterequests'],
    ['PATCH', `${requests}/of-n1/status`, 403, 'nodes may not access the status subresource'],
    ['GET', '/apis/certificates.cl.io/v1beta1/clustertrustbundles', 200, 'ClusterTrustBundleList'],
    ['POST', '/apis/events.cl.io/v1/namespaces/n/events', 422, 'Invalid'],
  ];
  for (const [method, path, status, reason] of rows) {
    it(`answers ${method} ${path} of a node with ${status}`, async () => {
      const patch = { 'content-type': 'application/merge-patch+json' };
      const body = method === 'PATCH' || method === 'POST' ? { metadata: { name: 'x' } } : undefined;
      const response = await request({ ...server, token: 'n1' }, method, path, body, method === 'PATCH' ? patch : {});
      assert.equal(response.status, status, response.text);
      assert.ok(response.text.includes(reason), response.text);
    });
  }
});
