import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';

const group = 'rbac.authorization.cl.io';
const maps = '/api/v1/namespaces/default/configmaps';

const write = { verbs: ['get', 'create', 'patch'], apiGroups: [''], resources: ['configmaps', 'pods/status'] };
const users: Readonly<Record<string, readonly object[]>> = {
  writer: [write],
  deleter: [write, { verbs: ['delete'], apiGroups: [''], resources: ['configmaps'] }],
  finalizer: [
    write,
    { verbs: ['delete'], apiGroups: [''], resources: ['configmaps'] },
    { verbs: ['update'], apiGroups: [''], resources: ['secrets/finalizers', 'nodes/finalizers'] },
  ],
};

const owner = (kind: string, blockOwnerDeletion?: boolean, uid = 'u') => ({
  apiVersion: 'v1',
  kind,
  name: 'o',
  uid,
  ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
});

describe('rights to own', () => {
  let server: TestServer;
  before(async () => {
    const tokens = Object.keys(users).map((name) => ({ token: name, username: name, groups: [] }));
    const admissionPlugins = { enabled: ['OwnerReferencesPermissionEnforcement'], disabled: [] };
    server = await startServer({ authorizationMode: ['RBAC'], tokens, admissionPlugins, store: 'memory' });
    for (const [name, rules] of Object.entries(users)) {
      await as(server.token, 'POST', `/apis/${group}/v1/clusterroles`, { metadata: { name }, rules });
      await as(server.token, 'POST', `/apis/${group}/v1/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: group, kind: 'ClusterRole', name },
        subjects: [{ kind: 'User', name }],
      });
    }
  });
  after(() => server.stop());

  const as = (token: string, method: string, url: string, body: object): Promise<HttpResponse> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    return request({ ...server, token }, method, url, body, { 'content-type': type });
  };
  const create = (token: string, name: string, ...ownerReferences: object[]) =>
    as(token, 'POST', maps, { metadata: { name, ownerReferences } });
  const own = (token: string, name: string, ...ownerReferences: object[]) =>
    as(token, 'PATCH', `${maps}/${name}`, { metadata: { ownerReferences } });
  const assertTaken = ({ status, text }: HttpResponse): void => assert.ok(status < 300, text);
  const assertRefused = ({ status, body, text }: HttpResponse, name: string, why: string): void => {
    assert.equal(status, 403, text);
    assert.equal((body as { message: string }).message, `configmaps "${name}" is forbidden: ${why}`);
  };

  it('are needed to change the owners of an existing object, and only for that', async () => {
    const why = "cannot set an ownerRef on a resource you can't delete: , <nil>";
    assertTaken(await create('writer', 'a', owner('Secret')));
    assertRefused(await own('writer', 'a'), 'a', why);
    assertRefused(await own('writer', 'a', owner('Secret', false, 'other')), 'a', why);
    assertTaken(await own('writer', 'a', owner('Secret')));
    assertTaken(await as('writer', 'PATCH', `${maps}/a`, { data: { a: 'b' } }));
    assertTaken(await own('deleter', 'a', owner('Secret', false)));
  });

  it('include those on finalizers of an owner whose deletion is blocked', async () => {
    const why =
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>";
    assertRefused(await create('deleter', 'b', owner('Secret', true)), 'b', why);
    assertTaken(await create('deleter', 'b', owner('Secret', false)));
    assertRefused(await own('deleter', 'b', owner('Secret', true)), 'b', why);
    assertTaken(await own('finalizer', 'b', owner('Secret', true)));
    assertTaken(await own('finalizer', 'b', owner('Secret', true), owner('Node', true, 'node')));
    assertTaken(
      await own('deleter', 'b', owner('Secret', true), owner('Node', true, 'node'), owner('Pod', false, 'p')),
    );
  });

  it('cannot be checked for an owner of an unknown kind', async () => {
    assertRefused(
      await create('finalizer', 'c', owner('Magic', true)),
      'c',
      'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion v1 Kind Magic: ' +
        'no matches for kind "Magic" in version "v1"',
    );
    assertTaken(await create('finalizer', 'c', owner('Magic')));
  });
});
