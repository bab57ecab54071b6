import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { clientConfigText } from '../../src/testing/client-config-text.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { startServer } from './start-server.ts';
import { request } from '../http/http-client.ts';
import { createRoot } from '../http/identity/openssl-authority.ts';

const run = promisify(execFile);
const core = '/api/v1/namespaces';

/** A role for the pods of a namespace, and who has it. */
const role = {
  metadata: { name: 'pods' },
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
};
const binding = {
  metadata: { name: 'pods' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'pods' },
  subjects: [
    { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
    { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:bootstrappers' },
    { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'team' },
  ],
};

describe('kubectl with each kind of credential', () => {
  let directory: string;
  let server: TestServer;
  let program: string;
  let certificate: { readonly certPem: string; readonly keyPem: string };
  const file = (name: string): string => path.join(directory, name);

  before(async () => {
    program = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'kubectl-tokens-'));
    const root = await createRoot('/CN=root');
    certificate = await root.issue({ subject: '/O=team/CN=ann' });
    await writeFile(file('ca.crt'), root.certPem);
    server = await startServer({
      identifiers: 'kubernetes',
      authorizationMode: ['RBAC'],
      clientCaFile: file('ca.crt'),
      enableBootstrapTokenAuth: true,
    });
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    await create(`${core}/default/serviceaccounts`, { metadata: { name: 'robot' } });
    await create(`${rbac}/roles`, role);
    await create(`${rbac}/rolebindings`, binding);
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  async function create(target: string, object: object): Promise<unknown> {
    const { status, body, text } = await request(server, 'POST', target, object);
    assert.equal(status, 201, text);
    return body;
  }

  /** Runs kubectl as a user of a client config file; its output, or the error that it prints. */
  async function kubectl(user: object, ...args: string[]): Promise<string> {
    const config = file('config');
    const text = clientConfigText({ server: server.url, ca: server.ca, token: '' });
    await writeFile(config, JSON.stringify({ ...JSON.parse(text), users: [{ name: 'test', user }] }));
    const options = { env: { ...process.env, KUBECONFIG: config, HOME: directory } };
    return await run(program, args, options).then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: { readonly stdout: string; readonly stderr: string }) => error.stdout + error.stderr,
    );
  }

  const credentials: Readonly<Record<string, () => Promise<object> | object>> = {
    'a token of a service account': async () => {
      const target = `${core}/default/serviceaccounts/robot/token`;
      return { token: ((await create(target, {})) as { status: { token: string } }).status.token };
    },
    'a bootstrap token': async () => {
      await create(`${core}/kube-system/secrets`, {
        metadata: { name: 'bootstrap-token-abcdef' },
        type: 'bootstrap.kubernetes.io/token',
        stringData: {
          'token-id': 'abcdef',
          'token-secret': '0123456789abcdef',
          'usage-bootstrap-authentication': 'true',
        },
      });
      return { token: 'abcdef.0123456789abcdef' };
    },
    'a client certificate': () => ({
      'client-certificate-data': Buffer.from(certificate.certPem).toString('base64'),
      'client-key-data': Buffer.from(certificate.keyPem).toString('base64'),
    }),
  };
  for (const [what, make] of Object.entries(credentials)) {
    it(`may do what its user may: ${what}`, async () => {
      const user = await make();
      assert.match(await kubectl(user, 'get', 'pods'), /No resources found in default namespace/);
      assert.match(await kubectl(user, 'get', 'secrets'), /^Error from server \(Forbidden\): secrets is forbidden/);
    });
  }

  describe('as an administrator', () => {
    const administrator = (): object => ({ token: server.token });

    it('asks what others may do, and acts as them', async () => {
      const asRobot = ['--as=system:serviceaccount:default:robot'];
      assert.match(await kubectl(administrator(), 'auth', 'can-i', 'list', 'pods', ...asRobot), /^yes/);
      assert.match(await kubectl(administrator(), 'auth', 'can-i', 'list', 'secrets', ...asRobot), /^no/);
      assert.match(await kubectl(administrator(), 'auth', 'can-i', '--list', ...asRobot), /pods +\[\] +\[\] +\[list\]/);
      const asTeam = ['--as=ann', '--as-group=team', '--as-group=other'];
      assert.match(await kubectl(administrator(), 'get', 'pods', ...asTeam), /No resources found/);
      assert.match(await kubectl(administrator(), 'get', 'pods', '--as=ann'), /Forbidden.*User "ann" cannot list/);
    });

    it('reconciles roles and bindings, and only adds what is missing', async () => {
      const version = 'rbac.authorization.k8s.io/v1';
      const more = { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] };
      const wanted = {
        apiVersion: 'v1',
        kind: 'List',
        items: [
          { apiVersion: version, kind: 'Role', metadata: { name: 'pods', namespace: 'default' }, rules: [more] },
          { apiVersion: version, kind: 'ClusterRole', metadata: { name: 'fresh' }, rules: [more] },
        ],
      };
      await writeFile(file('rbac.json'), JSON.stringify(wanted));
      const said = await kubectl(administrator(), 'auth', 'reconcile', '-f', file('rbac.json'));
      assert.match(said, /role\.rbac\.authorization\.k8s\.io\/pods reconciled[^]*clusterrole\.[^]*\/fresh reconciled/);
      const target = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/pods';
      const { rules } = (await request(server, 'GET', target)).body as { readonly rules: readonly object[] };
      assert.deepEqual(rules, [...role.rules, more]);
    });
  });

  it('is told that a token is invalid', async () => {
    assert.match(await kubectl({ token: 'zork' }, 'get', 'pods'), /Unauthorized/);
  });
});
