import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';

const rbac = '/apis/rbac.authorization.cl.io/v1';
const applyType = { 'content-type': 'application/apply-patch+yaml' };
const roles: Readonly<Record<string, readonly object[]>> = {
  patcher: [{ verbs: ['patch', 'update'], apiGroups: ['*'], resources: ['*'] }],
  'maker-of-one': [
    { verbs: ['patch', 'update'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['create'], apiGroups: [''], resources: ['secrets'], resourceNames: ['one'] },
  ],
};

describe('an update or apply of an object that does not exist', () => {
  let server: TestServer;
  before(async () => {
    const tokens = Object.keys(roles).map((name) => ({ token: name, username: name, groups: [] }));
    const admissionPlugins = { enabled: ['NamespaceAutoProvision'], disabled: [] };
    server = await startServer({ authorizationMode: ['RBAC'], tokens, admissionPlugins, store: 'memory' });
    for (const [name, rules] of Object.entries(roles)) {
      await request(server, 'POST', `${rbac}/clusterroles`, { metadata: { name }, rules });
      await request(server, 'POST', `${rbac}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.cl.io', kind: 'ClusterRole', name },
        subjects: [{ kind: 'User', name }],
      });
    }
  });
  after(() => server.stop());

  const secret = (name: string): object => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
  const apply = (
    token: string,
    name: string,
    { namespace = 'default', headers = {} }: { namespace?: string; headers?: Record<string, string> } = {},
  ): Promise<HttpResponse> =>
    request(
      { ...server, token },
      'PATCH',
      `/api/v1/namespaces/${namespace}/secrets/${name}?fieldManager=f`,
      secret(name),
      { ...applyType, ...headers },
    );
  const assertForbidden = ({ status, body, text }: HttpResponse, name: string): void => {
    assert.equal(status, 403, text);
    const { message, details } = body as { message: string; details: object };
    assert.equal(message, `secrets "${name}" is forbidden: `);
    assert.deepEqual(details, { name, kind: 'secrets' });
  };

  it('is refused without the right to create, and allowed again once the object exists', async () => {
    assertForbidden(await apply('patcher', 'a'), 'a');
    assert.equal((await apply(server.token, 'a')).status, 201);
    const { status, text } = await apply('patcher', 'a');
    assert.equal(status, 200, text);
  });

  it('takes a right to create that names the object', async () => {
    assert.equal((await apply('maker-of-one', 'one')).status, 201);
    assertForbidden(await apply('maker-of-one', 'two'), 'two');
  });

  it('is asked for the impersonated user, not for the caller', async () => {
    assertForbidden(await apply(server.token, 'b', { headers: { 'impersonate-user': 'patcher' } }), 'b');
  });

  it('makes no namespace for it', async () => {
    assertForbidden(await apply('patcher', 'c', { namespace: 'absent' }), 'c');
    assert.equal((await request(server, 'GET', '/api/v1/namespaces/absent')).status, 404);
  });

  it('is told that a sub-resource, or an object that it cannot create, does not exist', async () => {
    const deployment = '/apis/apps/v1/namespaces/default/deployments/d';
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } };
    const missing = [
      await request({ ...server, token: 'patcher' }, 'PUT', deployment, body),
      await request({ ...server, token: 'patcher' }, 'PATCH', `${deployment}/status?fieldManager=f`, body, applyType),
    ];
    assert.deepEqual(
      missing.map(({ status }) => status),
      [404, 404],
    );
  });
});
