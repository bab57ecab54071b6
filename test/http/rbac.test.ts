import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { agentOf, request } from './http-client.ts';
import { until } from './until.ts';

const rbac = '/apis/rbac.authorization.cl.io/v1';
const secrets = '/api/v1/namespaces/default/secrets';
const tokens = ['ann', 'bob'].map((name) => ({ token: name, username: name, groups: ['staff'] }));

describe('RBAC', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ authorizationMode: ['RBAC'], tokens });
  });
  after(() => server.stop());

  const as = (name: string) => ({ ...server, token: name });
  const write = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { status, text } = await request(server, method, `${rbac}${path}`, body);
    assert.ok(status < 300, text);
  };
  /** A write of a role or binding has its effect a little later. */
  const untilAnnGets = (path: string, status: number): Promise<void> =>
    until(`${status}`, async () => (await request(as('ann'), 'GET', path)).status === status);
  const reader = {
    metadata: { name: 'reader' },
    rules: [{ verbs: ['list'], apiGroups: [''], resources: ['secrets'] }],
  };
  const toReader = (kind: string, name: string) => ({
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.cl.io', kind, name: 'reader' },
    subjects: [{ kind: 'User', name: 'ann' }],
  });

  it('refuses what no role allows', async () => {
    const { status, body } = await request(as('ann'), 'GET', secrets);
    assert.equal(status, 403);
    assert.deepEqual((body as { message: string }).message.split(': '), [
      'secrets is forbidden',
      'User "ann" cannot list resource "secrets" in API group "" in the namespace "default"',
    ]);
  });

  it('allows what a role allows, soon after it is bound and until it is not', async () => {
    await write('POST', '/namespaces/default/roles', reader);
    await write('POST', '/namespaces/default/rolebindings', toReader('Role', 'ann-reads'));
    await untilAnnGets(secrets, 200);
    assert.equal((await request(as('ann'), 'GET', '/api/v1/namespaces/other/secrets')).status, 403);
    assert.equal((await request(as('bob'), 'GET', secrets)).status, 403);
    await write('DELETE', '/namespaces/default/rolebindings/ann-reads');
    await untilAnnGets(secrets, 403);
  });

  it('takes a list or watch of one name as of that name, but no delete of a collection', async () => {
    const verbs = ['list', 'watch', 'deletecollection'];
    const rules = [{ verbs, apiGroups: [''], resources: ['secrets'], resourceNames: ['one'] }];
    await write('POST', '/namespaces/default/roles', { metadata: { name: 'one-name' }, rules });
    const binding = toReader('Role', 'one-name');
    const roleRef = { ...binding.roleRef, name: 'one-name' };
    await write('POST', '/namespaces/default/rolebindings', { ...binding, roleRef });
    const selected = (name: string): string => `${secrets}?fieldSelector=metadata.name%3D${name}`;
    await untilAnnGets(selected('one'), 200);
    const status = async (method: string, path: string): Promise<number> =>
      (await request(as('ann'), method, path)).status;
    assert.equal(await status('GET', `${selected('one')}&watch=true&timeoutSeconds=1`), 200);
    assert.equal(await status('GET', selected('two')), 403);
    assert.equal(await status('GET', secrets), 403);
    assert.equal(await status('DELETE', selected('one')), 403);
    await write('DELETE', '/namespaces/default/rolebindings/one-name');
    await untilAnnGets(selected('one'), 403);
  });

  it('allows it a few requests after the response to the write, and refuses it again as soon', async () => {
    await write('POST', '/namespaces/default/roles', { ...reader, metadata: { name: 'quick' } });
    const binding = { ...toReader('Role', 'quick'), roleRef: { ...toReader('Role', 'quick').roleRef, name: 'quick' } };
    const counts: number[] = [];
    const countUntil = async (status: number): Promise<void> => {
      let requests = 0;
      while ((await request(as('ann'), 'GET', secrets)).status !== status) requests++;
      counts.push(requests);
    };
    for (let round = 0; round < 5; round++) {
      await write('POST', '/namespaces/default/rolebindings', binding);
      await countUntil(200);
      await write('DELETE', '/namespaces/default/rolebindings/quick');
      await countUntil(403);
    }
    // Of each write, not of a poll: no more than some 50 ms of requests. They and the server share this process.
    const [, , third = Infinity] = counts.toSorted((a, b) => a - b);
    assert.ok(third < 20, `${third} requests`);
  });

  it('says which role a binding misses', async () => {
    await write('POST', '/clusterrolebindings', toReader('ClusterRole', 'missing'));
    const why = /in the namespace "default": RBAC: clusterrole\.rbac\.authorization\.cl\.io "reader" not found$/;
    await until('the missing role to be named', async () => {
      const { body } = await request(as('ann'), 'GET', secrets);
      return why.test((body as { message: string }).message);
    });
    await write('DELETE', '/clusterrolebindings/missing');
  });

  it('has the default roles when it is ready', async () => {
    const response = await request(server, 'GET', '/readyz?verbose');
    assert.match(response.text, /^\[\+\]poststarthook\/rbac\/bootstrap-roles ok$/m);
    assert.equal((await request(as('ann'), 'GET', '/apis')).status, 200);
    const anonymous = await Promise.all(
      ['/version/', '/apis'].map(async (path) => {
        const { statusCode, body } = await agentOf(server).request({ origin: server.url, path, method: 'GET' });
        await body.dump();
        return statusCode;
      }),
    );
    assert.deepEqual(anonymous, [200, 403]);
  });

  it('lets a user view a namespace by the role of that name', async () => {
    const roleRef = { ...toReader('ClusterRole', '').roleRef, name: 'view' };
    await write('POST', '/namespaces/default/rolebindings', { ...toReader('ClusterRole', 'views'), roleRef });
    await untilAnnGets('/api/v1/namespaces/default/pods', 200);
    assert.equal((await request(as('ann'), 'GET', '/api/v1/namespaces/other/pods')).status, 403);
  });

  it('lists the rules of a user in a namespace, and the roles that are missing', async () => {
    await write('POST', '/clusterrolebindings', {
      ...toReader('ClusterRole', 'zork'),
      roleRef: { ...toReader('ClusterRole', '').roleRef, name: 'zork' },
    });
    const path = '/apis/authorization.cl.io/v1/selfsubjectrulesreviews';
    const rules = async (name: string, namespace: string) =>
      ((await request(as(name), 'POST', path, { spec: { namespace } })).body as { status: Record<string, object[]> })
        .status;
    await until('the binding to count', async () => 'evaluationError' in (await rules('ann', 'default')));
    const bob = await rules('bob', 'default');
    assert.deepEqual(bob['resourceRules'], [
      {
        verbs: ['create'],
        apiGroups: ['authorization.cl.io'],
        resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
      },
      { verbs: ['create'], apiGroups: ['authentication.cl.io'], resources: ['selfsubjectreviews'] },
    ]);
    assert.equal(bob['nonResourceRules']?.length, 2);
    assert.equal(bob['incomplete'], false);
    const ann = await rules('ann', 'default');
    assert.ok((ann['resourceRules']?.length ?? 0) > ((await rules('ann', 'other'))['resourceRules']?.length ?? 0));
    assert.equal(ann['evaluationError'], 'clusterrole.rbac.authorization.cl.io "zork" not found');
    await write('DELETE', '/clusterrolebindings/zork');
  });

  it('explains a review to those who may read roles', async () => {
    const path = '/apis/authorization.cl.io/v1/subjectaccessreviews';
    const explain = async (spec: object, query = '?explain=true'): Promise<string | undefined> => {
      const { body } = await request(server, 'POST', `${path}${query}`, { spec });
      const { annotations = {} } = (body as { metadata: { annotations?: Record<string, string> } }).metadata;
      return annotations['authorization.cluster.io/explanation'];
    };
    const attributes = { namespace: 'default', verb: 'get', resource: 'pods', name: 'p' };
    assert.equal(
      await explain({ user: 'ann', resourceAttributes: attributes }),
      'PrivilegedGroup: no opinion\nAlwaysAllowPaths: no opinion\n' +
        'RBAC: allowed: RoleBinding "views/default" of ClusterRole "view" to User "ann", by the rule ' +
        '{APIGroups:[""], Resources:["configmaps" "endpoints" "persistentvolumeclaims" "persistentvolumeclaims/status" ' +
        '"pods" "replicationcontrollers" "replicationcontrollers/scale" "serviceaccounts" "services" "services/status"], ' +
        'Verbs:["get" "list" "watch"]}',
    );
    assert.equal(
      await explain({ user: 'bob', groups: ['system:authenticated'], resourceAttributes: attributes }),
      'PrivilegedGroup: no opinion\nAlwaysAllowPaths: no opinion\n' +
        'RBAC: no opinion: no role has {APIGroups:[""], Resources:["pods"], ResourceNames:["p"], Verbs:["get"]} for ' +
        'User "bob" or one of the groups ["system:authenticated"]; their roles in the namespace "default": ' +
        'ClusterRole "system:basic-user", ClusterRole "system:discovery", ClusterRole "system:public-info-viewer"',
    );
    const root = { user: 'root', groups: ['system:masters'], nonResourceAttributes: { path: '/x', verb: 'get' } };
    assert.equal(await explain(root), 'PrivilegedGroup: allowed');
    assert.equal(await explain(root, ''), undefined);
    const self = '/apis/authorization.cl.io/v1/selfsubjectaccessreviews?explain=true';
    const own = await request(as('ann'), 'POST', self, { spec: { resourceAttributes: attributes } });
    assert.equal(own.status, 201);
    assert.deepEqual(Object.keys((own.body as { metadata: object }).metadata), ['creationTimestamp']);
    assert.match(String(own.headers['warning']), /need the right to list roles and bindings/);
  });

  it('does not count the bound roles of others', async () => {
    await write('POST', '/clusterroles', reader);
    await write('POST', '/clusterrolebindings', toReader('ClusterRole', 'ann-reads'));
    await untilAnnGets(secrets, 200);
    assert.equal((await request(as('bob'), 'GET', secrets)).status, 403);
    assert.equal((await request(server, 'GET', secrets)).status, 200);
  });
});
