import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';
import { until } from './until.ts';

const group = 'rbac.authorization.cl.io';
const roles = `/apis/${group}/v1/namespaces/default/roles`;
const clusterRoles = `/apis/${group}/v1/clusterroles`;
const bindings = `/apis/${group}/v1/namespaces/default/rolebindings`;
const clusterBindings = `/apis/${group}/v1/clusterrolebindings`;
const kinds = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'];

const getPods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const listSecrets = { verbs: ['list', 'get'], apiGroups: [''], resources: ['secrets', 'pods'] };

const role = (name: string, ...rules: object[]) => ({ metadata: { name }, rules });
const binding = (name: string, kind: string, refers: string, user = 'ann') => ({
  metadata: { name },
  roleRef: { apiGroup: group, kind, name: refers },
  subjects: [{ kind: 'User', name: user }],
});

/** Users that may write roles and bindings, and the rules that each has besides. */
const users: Readonly<Record<string, readonly object[]>> = {
  ann: [getPods],
  escalator: [{ verbs: ['escalate'], apiGroups: [group], resources: ['roles', 'clusterroles'] }],
  binder: [{ verbs: ['bind'], apiGroups: [group], resources: ['clusterroles'], resourceNames: ['secrets'] }],
  mighty: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ],
};
const writeRoles = { verbs: ['get', 'list', 'create', 'update', 'patch'], apiGroups: [group], resources: kinds };

const missingSecrets = [
  `user "ann" (groups=["staff" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:`,
  '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
  '{APIGroups:[""], Resources:["secrets"], Verbs:["list" "get"]}',
].join('\n');

describe('the rights that users may grant', () => {
  let server: TestServer;
  before(async () => {
    const tokens = Object.keys(users).map((name) => ({ token: name, username: name, groups: ['staff'] }));
    server = await startServer({ authorizationMode: ['RBAC'], tokens });
    for (const [name, rules] of Object.entries(users)) {
      await as(server.token, 'POST', clusterRoles, role(name, writeRoles, ...rules));
      await as(server.token, 'POST', clusterBindings, binding(name, 'ClusterRole', name, name));
    }
    await as(server.token, 'POST', clusterRoles, role('secrets', listSecrets));
    await as(server.token, 'POST', roles, role('secrets', listSecrets));
    const canRead = async (name: string): Promise<boolean> =>
      (await as(name, 'GET', clusterRoles, undefined)).status === 200;
    await until('all bindings to count', async () =>
      (await Promise.all(Object.keys(users).map(canRead))).every(Boolean),
    );
  });
  after(() => server.stop());

  const as = (token: string, method: string, path: string, body: unknown, type = 'application/json') =>
    request({ ...server, token }, method, path, body, { 'content-type': type });
  const messageOf = ({ body }: HttpResponse): string => (body as { message: string }).message;
  const assertRefused = (response: HttpResponse, subject: string, why: string): void => {
    assert.equal(response.status, 403, response.text);
    assert.equal(messageOf(response), `${subject} is forbidden: ${why}`);
  };

  it('are those they have, in roles', async () => {
    assert.equal((await as('ann', 'POST', roles, role('pods', getPods))).status, 201);
    const subject = `roles.${group} "more"`;
    assertRefused(await as('ann', 'POST', roles, role('more', listSecrets)), subject, missingSecrets);
    assertRefused(await as('ann', 'PUT', `${roles}/more`, role('more', listSecrets)), subject, missingSecrets);
    assertRefused(await as('ann', 'POST', `${roles}?dryRun=All`, role('more', listSecrets)), subject, missingSecrets);
    const generated = await as('ann', 'POST', roles, { metadata: { generateName: 'x' }, rules: [listSecrets] });
    assertRefused(generated, `roles.${group}`, missingSecrets);
    const applied = { apiVersion: `${group}/v1`, kind: 'Role', ...role('more', listSecrets) };
    const path = `${roles}/more?fieldManager=test`;
    assertRefused(await as('ann', 'PATCH', path, applied, 'application/apply-patch+yaml'), subject, missingSecrets);
  });

  it('are refused before an invalid object is', async () => {
    const response = await as('ann', 'POST', roles, role('x', { verbs: ['get'], resources: ['pods'] }, listSecrets));
    assert.equal(response.status, 403, response.text);
  });

  it('are checked in updates that add rules, or keep those of others', async () => {
    const subject = `clusterroles.${group} "secrets"`;
    const merge = 'application/merge-patch+json';
    const patch = (document: object) => as('ann', 'PATCH', `${clusterRoles}/secrets`, document, merge);
    assertRefused(await patch({ metadata: { labels: { a: 'b' } } }), subject, missingSecrets);
    assert.equal((await patch({})).status, 200);
    assert.equal((await patch({ metadata: { finalizers: ['example.com/a'] } })).status, 200);
    assert.equal((await patch({ metadata: { finalizers: null } })).status, 200);
  });

  it('are all for an aggregation rule', async () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    const aggregated = { metadata: { name: 'aggregated' }, aggregationRule };
    assertRefused(
      await as('ann', 'POST', clusterRoles, aggregated),
      `clusterroles.${group} "aggregated"`,
      'must have cluster-admin privileges to use the aggregationRule',
    );
    assert.equal((await as('mighty', 'POST', clusterRoles, aggregated)).status, 201);
  });

  it('may be others with the verb escalate', async () => {
    assert.equal((await as('escalator', 'POST', roles, role('escalated', listSecrets))).status, 201);
    assert.equal((await as('escalator', 'POST', clusterRoles, role('escalated', listSecrets))).status, 201);
    const bound = await as('escalator', 'POST', bindings, binding('escalated', 'Role', 'escalated'));
    assert.equal(bound.status, 403, bound.text);
  });

  it('are those of the role, in bindings', async () => {
    const subject = `rolebindings.${group} "b"`;
    assertRefused(await as('ann', 'POST', bindings, binding('b', 'ClusterRole', 'secrets')), subject, missingSecrets);
    assertRefused(await as('ann', 'POST', bindings, binding('b', 'Role', 'secrets')), subject, missingSecrets);
    const missing = await as('ann', 'POST', bindings, binding('b', 'Role', 'none'));
    assert.equal(missing.status, 404);
    assert.equal(messageOf(missing), `roles.${group} "none" not found`);
    assert.equal((await as('ann', 'POST', bindings, binding('own', 'ClusterRole', 'ann', 'bob'))).status, 201);
    const admin = await as('ann', 'POST', clusterBindings, binding('b', 'ClusterRole', 'cluster-admin'));
    assert.equal(admin.status, 403, admin.text);
  });

  it('may be others with the verb bind, for the roles that it names', async () => {
    assert.equal((await as('binder', 'POST', bindings, binding('bound', 'ClusterRole', 'secrets'))).status, 201);
    const other = await as('binder', 'POST', bindings, binding('other', 'ClusterRole', 'escalator'));
    assert.equal(other.status, 403, other.text);
    const named = await as('binder', 'POST', bindings, binding('named', 'Role', 'secrets'));
    assert.equal(named.status, 403, named.text);
  });

  it('are all with a role that allows everything', async () => {
    assert.equal(
      (await as('mighty', 'POST', clusterBindings, binding('m', 'ClusterRole', 'cluster-admin'))).status,
      201,
    );
  });

  it('do not matter where every user may do everything', async () => {
    await using open = await startServer({
      authorizationMode: ['AlwaysAllow'],
      tokens: [{ token: 'ann', username: 'ann', groups: [] }],
    });
    const target = { ...open, token: 'ann' };
    assert.equal((await request(target, 'POST', roles, role('any', listSecrets))).status, 201);
    assert.equal((await request(target, 'POST', bindings, binding('any', 'ClusterRole', 'none'))).status, 201);
  });
});
