import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { agentOf, request } from './http-client.ts';

const spec = (fields: object): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.cluster.io/v1beta1', kind: 'Policy', spec: fields });

const policies = [
  '# who may do what',
  spec({ user: 'ann', namespace: '*', resource: '*', apiGroup: '*' }),
  spec({ user: 'bob', namespace: 'n', resource: 'configmaps', readonly: true }),
  spec({ group: 'dev', namespace: 'n', resource: 'deployments', apiGroup: 'apps' }),
  spec({ group: '*', nonResourcePath: '/api*', readonly: true }),
  spec({ user: '*', namespace: 'shared', resource: 'configmaps', readonly: true }),
  spec({ user: 'cat', group: 'ops', namespace: '*', resource: 'secrets' }),
  '',
  '{"user":"old","namespace":"n"}',
].join('\n');

const tokens = ['ann', 'bob', 'cat', 'old'].map((username) => ({ token: username, username, groups: [] as string[] }));
tokens.push({ token: 'dev', username: 'dan', groups: ['dev'] }, { token: 'cat-ops', username: 'cat', groups: ['ops'] });

const configMap = { metadata: { name: 'c' } };
const at = (namespace: string, resource: string): string => `/api/v1/namespaces/${namespace}/${resource}`;

const cases: readonly (readonly [token: string, method: string, path: string, status: number])[] = [
  ['ann', 'GET', at('n', 'secrets'), 200],
  ['ann', 'POST', at('n', 'configmaps'), 201],
  ['ann', 'GET', '/metrics', 403],
  ['bob', 'GET', at('n', 'configmaps'), 200],
  ['bob', 'GET', `${at('n', 'configmaps')}/missing`, 404],
  ['bob', 'POST', at('n', 'configmaps'), 403],
  ['bob', 'GET', at('other', 'configmaps'), 403],
  ['bob', 'GET', '/api/v1/configmaps', 403],
  ['bob', 'GET', at('n', 'secrets'), 403],
  ['dev', 'GET', '/apis/apps/v1/namespaces/n/deployments', 200],
  ['dev', 'GET', at('n', 'deployments'), 403],
  ['bob', 'GET', '/api', 200],
  ['bob', 'GET', '/apis/apps', 200],
  ['bob', 'POST', '/api', 403],
  ['bob', 'GET', '/openapi/v2', 403],
  ['bob', 'GET', at('shared', 'configmaps'), 200],
  ['cat', 'GET', at('n', 'secrets'), 403],
  ['cat-ops', 'GET', at('n', 'secrets'), 200],
  ['old', 'GET', at('n', 'secrets'), 200],
  ['old', 'GET', at('other', 'secrets'), 403],
  ['old', 'GET', '/api/v1/nodes', 403],
];

describe('a policy file of Kubernetes', () => {
  it('is read as it is, with the identifiers of Kubernetes', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'cl-abac-'));
    const file = path.join(directory, 'policies.jsonl');
    await writeFile(file, spec({ user: 'ann', namespace: '*', resource: '*' }).replace('cluster.io', 'kubernetes.io'));
    const mode = { authorizationMode: 'ABAC', authorizationPolicyFile: file, tokens } as const;
    await using server = await startServer({ ...mode, identifiers: 'kubernetes', store: 'memory' });
    await rm(directory, { recursive: true });
    assert.equal((await request({ ...server, token: 'ann' }, 'GET', at('n', 'secrets'))).status, 200);
  });
});

describe('ABAC', () => {
  let directory: string;
  let server: TestServer;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-abac-'));
    const file = path.join(directory, 'policies.jsonl');
    await writeFile(file, policies);
    server = await startServer({ authorizationMode: 'ABAC', authorizationPolicyFile: file, tokens, store: 'memory' });
    await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  for (const [token, method, url, status] of cases) {
    it(`answers ${status} to ${method} ${url} of ${token}`, async () => {
      const body = method === 'POST' ? configMap : undefined;
      const response = await request({ ...server, token }, method, url, body);
      assert.equal(response.status, status, response.text);
      if (status === 403) assert.match(response.text, /: No policy matched\./);
    });
  }

  it('does not mean anonymous users by a wildcard', async () => {
    for (const url of [at('shared', 'configmaps'), '/api']) {
      const response = await agentOf(server).request({ origin: server.url, path: url, method: 'GET' });
      assert.match(await response.body.text(), /User \\"system:anonymous\\" cannot .*: No policy matched\./);
      assert.equal(response.statusCode, 403);
    }
  });

  it('needs a policy file that can be read, and names the line that cannot', async () => {
    await assert.rejects(startServer({ authorizationMode: 'ABAC' }), /authorization policy file not passed/);
    const broken = path.join(directory, 'broken.jsonl');
    await writeFile(broken, '{}\n{"user":1}\n');
    const start = startServer({ authorizationMode: 'ABAC', authorizationPolicyFile: broken });
    await assert.rejects(start, /^Error: error reading policy file .*broken\.jsonl: line 2: \{"user":1\}: user is not/);
  });
});
