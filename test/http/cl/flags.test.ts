import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { idleConnections } from '../../idle-connections.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { type ClRunner, createClRunner } from './cl-runner.ts';

const roles = `apiVersion: rbac.authorization.cl.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
---
apiVersion: rbac.authorization.cl.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.cl.io, kind: ClusterRole, name: reader}
subjects: [{kind: User, name: ann, apiGroup: rbac.authorization.cl.io}]
`;

describe('flags of cl', () => {
  let server: TestServer;
  let cl: ClRunner;
  before(async () => {
    server = await startServer();
    cl = await createClRunner(server);
    await cl.write('roles.yaml', roles);
    await cl.write(
      'pod.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: a, image: i}]}\nstatus: {phase: Running}\n',
    );
  });
  after(async () => {
    await server.stop();
    await cl.remove();
  });

  it('reconcile shows what it would do, and prints the objects', async () => {
    const names = ['clusterrole', 'clusterrolebinding'].map((kind) => `${kind}.rbac.authorization.cl.io/reader`);
    const lines = (note: string): string => names.map((name) => `${name}${note}\n`).join('');
    const run = async (line: string): Promise<string> => {
      const { out, err } = await cl.run(`auth reconcile ${line}`);
      assert.equal(err, '');
      return out;
    };
    assert.equal(await run('-f roles.yaml --dry-run=client'), lines(' created (dry run)'));
    assert.equal(await run('-f roles.yaml --dry-run=server'), lines(' created (server dry run)'));
    assert.equal((await request(server, 'GET', '/apis/rbac.authorization.cl.io/v1/clusterroles/reader')).status, 404);
    assert.equal(await run('-f roles.yaml -o name'), lines(''));
    assert.equal(await run('-f roles.yaml'), lines(' unchanged'));
    assert.match(await run('-f roles.yaml -o yaml --show-managed-fields'), /managedFields:/);
    assert.equal(await run('-f roles.yaml --template={{.kind}};'), 'ClusterRole;ClusterRoleBinding;');
    await cl.write('more.yaml', roles.replace('verbs: [get]', 'verbs: [get, list]').replace(/---[^]*$/, ''));
    assert.equal(await run('-f more.yaml --dry-run=server'), `${names[0]} reconciled (server dry run)\n`);
    assert.equal(await run('-f more.yaml -o jsonpath={.rules[0].verbs}'), '["get"]');
  });

  it('wait --local looks at files, without a server', async () => {
    const met = await cl.run(
      'wait --local -f pod.yaml --for=jsonpath={.status.phase}=Running --server=http://127.0.0.1:1',
    );
    assert.deepEqual([met.code, met.out, met.err], [0, 'pod/web condition met\n', '']);
    const missed = await cl.run('wait --local -f pod.yaml --for=condition=Ready');
    assert.deepEqual([missed.code, missed.err], [1, 'error: condition not met for pod/web\n']);
    assert.match((await cl.run('wait --local pod/web --for=delete')).err, /--local needs objects from -f/);
  });

  it('can-i --list leaves out the headings, and api-resources takes the flag of objects', async () => {
    assert.match((await cl.run('auth can-i --list')).out, /^Resources /);
    assert.doesNotMatch((await cl.run('auth can-i --list --no-headers')).out, /^Resources /);
    assert.equal((await cl.run('api-resources --show-managed-fields --api-group=apps')).code, 0);
    assert.match((await cl.run('explain -R pods.spec.os')).out, /name/);
  });

  it('-v shows requests with their times and bodies, without secrets', async () => {
    await request(server, 'POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'plain' },
      data: { text: 'shown', esc: '\u009b' },
    });
    const six = await cl.run('get configmap plain -v=6');
    assert.match(six.err, /^GET https:\S+\/configmaps\/plain 200 in \d+ ms$/m);
    assert.doesNotMatch(six.err, /received/);
    const eight = await cl.run('get configmap plain -o yaml --v=8');
    assert.match(eight.err, /^ {2}received: .*"text":"shown"/m);
    assert.match(eight.err, /^ {2}authorization: \(hidden\)$/m);
    assert.ok(!eight.err.includes('\u009b'));
    const secret = await cl.run('create secret generic hidden --from-literal=password=hunter2 -v=10');
    assert.match(secret.err, /^ {2}sent: \(a body that may have secrets\)$/m);
    assert.match((await cl.run('get secrets -o yaml -v=10')).err, /received: \(a body that may have secrets\)/);
    assert.doesNotMatch(secret.err, /aHVudGVyMg|hunter2/);
    const away = await cl.run('get pods -v=6 --server=http://127.0.0.1:1');
    assert.match(away.err, /^GET http:\/\/127\.0\.0\.1:1\/api failed \(.*\) in \d+ ms$/m);
  });

  it('--warnings-as-errors fails after the output', async () => {
    const line = 'get componentstatuses';
    const usual = await cl.run(line);
    const strict = await cl.run(`${line} --warnings-as-errors`);
    assert.deepEqual([usual.code, strict.code, usual.out], [0, 1, strict.out]);
    assert.match(strict.err, /^Warning: .*\nerror: the server sent 1 warnings\n$/);
  });

  describe('--request-timeout', () => {
    let silent: Server;
    before(async () => {
      // The head of some responses arrives, the body never.
      silent = createServer({ ...idleConnections }, ({ url }, response) => {
        if (url === '/head') response.write('{');
      }).listen(0, '127.0.0.1');
      await once(silent, 'listening');
    });
    after(() => {
      silent.closeAllConnections();
      silent.close();
    });

    for (const [place, where] of [
      ['/silent', 'an answer that does not come'],
      ['/head', 'a body that does not end'],
    ] as const) {
      it(`ends ${where}, with one line`, async () => {
        const { port } = silent.address() as AddressInfo;
        const { code, out, err } = await cl.run(
          `get --raw ${place} --server=http://127.0.0.1:${port} --request-timeout=100ms`,
        );
        assert.deepEqual([code, out], [1, '']);
        assert.match(
          err,
          /^error: cannot reach http:\S+: no complete response within 0\.1 s \(the server is busy .*\n$/,
        );
        assert.equal(err.split('\n').length, 2);
      });
    }

    it('leaves watches alone', async () => {
      const watch = cl.run('wait --for=delete configmap/plain --timeout=1s --request-timeout=300ms');
      assert.match((await watch).err, /timed out waiting for the condition on configmaps\/plain/);
    });
  });
});
