import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';

const group = 'resource.cl.io';
const roles = '/apis/rbac.authorization.cl.io/v1';
const claims = `/apis/${group}/v1/namespaces/default/resourceclaims`;
const driver = 'gpu.example.com';

const rule = (part: string, verbs: readonly string[], resourceNames: readonly string[] = []): JsonObject => ({
  verbs: [...verbs],
  apiGroups: [group],
  resources: [`resourceclaims/${part}`],
  resourceNames: [...resourceNames],
});

/** Users that may write the status of claims, and the rules that each has besides. */
const users: Readonly<Record<string, readonly JsonObject[]>> = {
  nobody: [],
  scheduler: [rule('binding', ['patch'])],
  driver: [rule('driver', ['arbitrary-node:patch'], [driver])],
  other: [rule('driver', ['arbitrary-node:patch'], ['net.example.com'])],
};

const allocation = {
  devices: { results: [{ request: 'gpu', driver, pool: 'n', device: 'gpu-0' }] },
  nodeSelector: {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }],
  },
};
const devices = [{ driver, pool: 'n', device: 'gpu-0', data: { temperature: 40 } }];

describe('rights on the status of claims of devices', () => {
  let server: TestServer;
  before(async () => {
    const tokens = Object.keys(users).map((name) => ({ token: name, username: name, groups: [] }));
    server = await startServer({ authorizationMode: ['RBAC'], tokens, store: 'memory', emulatedRelease: '1.36' });
    for (const [name, rules] of Object.entries(users)) {
      const role = { metadata: { name }, rules: [rule('status', ['patch']), ...rules] };
      await request(server, 'POST', `${roles}/clusterroles`, role);
      await bind(name);
    }
    const spec = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] } };
    const { status, text } = await request(server, 'POST', claims, { metadata: { name: 'c' }, spec });
    assert.equal(status, 201, text);
  });
  after(() => server.stop());

  const bind = (name: string): Promise<HttpResponse> =>
    request(server, 'POST', `${roles}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.cl.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'User', name }],
    });
  const patch = (token: string, status: JsonObject): Promise<HttpResponse> =>
    request(
      { ...server, token },
      'PATCH',
      `${claims}/c/status`,
      { status },
      {
        'content-type': 'application/merge-patch+json',
      },
    );
  const assertRefused = ({ status, text }: HttpResponse, message: string): void => {
    assert.equal(status, 422, text);
    assert.ok(text.includes(JSON.stringify(message).slice(1, -1)), text);
  };

  it('lets users with the right to bind claims allocate and reserve', async () => {
    const message =
      'status: Forbidden: changing status.allocation or status.reservedFor requires ' +
      'resource="resourceclaims/binding", verb="patch" permission: resourceclaims.resource.cl.io is forbidden: User';
    assertRefused(await patch('nobody', { allocation }), message);
    assertRefused(await patch('driver', { allocation }), message);
    const { status, text } = await patch('scheduler', { allocation });
    assert.equal(status, 200, text);
  });

  it('lets drivers report the status of their own devices', async () => {
    const message =
      'status.devices: Forbidden: changing status.devices requires resource="resourceclaims/driver", ' +
      'verb="[arbitrary-node:patch]" permission: resourceclaims.resource.cl.io "gpu.example.com" is forbidden: User';
    for (const user of ['nobody', 'scheduler', 'other']) assertRefused(await patch(user, { devices }), message);
    const { status, text } = await patch('driver', { devices });
    assert.equal(status, 200, text);
    assert.equal((await patch('nobody', { devices })).status, 200);
  });
});
