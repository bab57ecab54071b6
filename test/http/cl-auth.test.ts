import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type Outcome, runCl } from './cl/cl-runner.ts';
import { request } from './http-client.ts';
import { until } from './until.ts';

const group = 'rbac.authorization.cl.io';

const reader = (...rules: object[]) => ({
  apiVersion: `${group}/v1`,
  kind: 'Role',
  metadata: { name: 'reader', namespace: 'default' },
  rules,
});
const readPods = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };
const binding = {
  apiVersion: `${group}/v1`,
  kind: 'RoleBinding',
  metadata: { name: 'ann-reads', namespace: 'default' },
  roleRef: { apiGroup: group, kind: 'Role', name: 'reader' },
  subjects: [
    { kind: 'User', apiGroup: group, name: 'ann' },
    { kind: 'ServiceAccount', name: 'robot' },
  ],
};

describe('cl auth', () => {
  let server: TestServer;
  let directory: string;
  before(async () => {
    server = await startServer({ authorizationMode: ['RBAC'] });
    directory = await mkdtemp(path.join(tmpdir(), 'cl-auth-'));
    await writeFile(path.join(directory, 'config'), server.clientConfig, { mode: 0o600 });
    await reconcile(reader(readPods), binding);
    await until('the binding to count', async () => (await cl('auth', 'can-i', 'get', 'pods', ...ann)).out === 'yes\n');
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  const cl = (...args: readonly string[]): Promise<Outcome> => runCl(args, { directory });
  const reconcile = async (...objects: readonly object[]): Promise<string> => {
    await writeFile(
      path.join(directory, 'roles.json'),
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
    );
    const { out, err } = await cl('auth', 'reconcile', '-f', 'roles.json');
    assert.equal(err, '');
    return out;
  };
  const ann = ['--as', 'ann'];

  it('prints whether a user may do something', async () => {
    const nodes = await cl('auth', 'can-i', 'delete', 'nodes');
    assert.deepEqual(nodes, { code: 0, out: 'yes\n', err: "Warning: resource 'nodes' is not namespace scoped\n" });
    assert.deepEqual(await cl('auth', 'can-i', 'get', 'pods/a', ...ann), { code: 0, out: 'yes\n', err: '' });
    assert.deepEqual(await cl('auth', 'can-i', 'get', 'po', 'a', '-A', ...ann), { code: 1, out: 'no\n', err: '' });
    const log = await cl('auth', 'can-i', 'get', 'pods', '--subresource=log', ...ann);
    assert.deepEqual(log, { code: 1, out: 'no\n', err: '' });
    assert.equal((await cl('auth', 'can-i', 'get', '/version', ...ann)).out, 'yes\n');
    assert.equal((await cl('auth', 'can-i', 'get', '/metrics', '-q', ...ann)).out, '');
    assert.equal((await cl('auth', 'can-i', 'get')).code, 1);
    const unknown = await cl('auth', 'can-i', 'get', 'zorks.example.com');
    assert.match(unknown.err, /^Warning: the server doesn't have a resource type "zorks.example.com"/);
  });

  it('prints why, to those who may read roles', async () => {
    const { out } = await cl('auth', 'can-i', 'get', 'pods', '--why');
    assert.equal(out, 'yes\nPrivilegedGroup: allowed\n');
    const other = await cl('auth', 'can-i', 'get', 'secrets', '--why', ...ann);
    assert.equal(other.code, 1);
    assert.equal(other.out, 'no\nthe server gives no reason\n');
    assert.match(other.err, /need the right to list roles/);
  });

  it('lists all that a user may do', async () => {
    const { out } = await cl('auth', 'can-i', '--list', ...ann);
    assert.match(out, /^Resources +Non-Resource URLs +Resource Names +Verbs$/m);
    assert.match(out, /^pods +\[\] +\[\] +\[get list\]$/m);
  });

  it('prints the user, also an impersonated one', async () => {
    const own = await cl('auth', 'whoami');
    assert.match(own.out, /^Username +admin$/m);
    assert.match(own.out, /^Groups +\[system:masters system:authenticated\]$/m);
    const other = await cl('auth', 'whoami', '--as=ann', '--as-uid=7', '--as-group=a', '--as-group=b');
    assert.match(other.out, /^Username +ann$/m);
    assert.match(other.out, /^UID +7$/m);
    assert.match(other.out, /^Groups +\[a b system:authenticated\]$/m);
    assert.equal((await cl('auth', 'whoami', '--as-group=a')).code, 1);
    assert.equal((await cl('get', 'secrets', ...ann)).code, 1);
  });

  it('prints who may do something', async () => {
    const { out } = await cl('auth', 'who-can', 'get', 'pods/a');
    assert.match(out, /^KIND +SUBJECT +ROLE +BINDING$/m);
    assert.match(out, /^User +ann +Role\/reader +RoleBinding\/ann-reads$/m);
    assert.match(out, /^ServiceAccount +default\/robot +Role\/reader +RoleBinding\/ann-reads$/m);
    assert.match(out, /^Group +system:masters +ClusterRole\/cluster-admin +ClusterRoleBinding\/cluster-admin$/m);
    assert.doesNotMatch((await cl('auth', 'who-can', 'get', 'pods', '-A')).out, /ann/);
  });

  it('brings roles and bindings up to date', async () => {
    const watchPods = { ...readPods, verbs: ['watch'] };
    assert.equal(
      await reconcile(reader(watchPods), binding),
      `role.${group}/reader reconciled\nrolebinding.${group}/ann-reads unchanged\n`,
    );
    const { body } = await request(server, 'GET', `/apis/${group}/v1/namespaces/default/roles/reader`);
    assert.deepEqual((body as { rules: object[] }).rules, [readPods, watchPods]);
    const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'view' };
    assert.equal(await reconcile({ ...binding, roleRef }), `rolebinding.${group}/ann-reads recreated\n`);
    const wrong = await cl('auth', 'reconcile', '-f', 'config');
    assert.notEqual(wrong.code, 0);
  });
});
