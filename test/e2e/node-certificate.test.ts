import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent } from 'undici';
import { request, type Target } from '../http/http-client.ts';
import { createAuthority, type TestAuthority } from '../http/identity/certificate-authority.ts';
import { until } from '../http/until.ts';
import { programFile } from '../program-file.ts';

const program = programFile('cl-apiserver');
const core = '/api/v1/namespaces/default';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** A pod of a node with a Secret. */
const podOf = (node: string): object => ({
  metadata: { name: `on-${node}` },
  spec: {
    nodeName: node,
    containers: [{ name: 'c', image: 'i' }],
    volumes: [{ name: 'v', secret: { secretName: `of-${node}` } }],
  },
});

/** Sends a request with a node's certificate; the status of the response. */
type NodeClient = (method: string, target: string, body?: object, type?: string) => Promise<number>;

describe('node agents with client certificates', () => {
  let directory: string;
  let child: ChildProcess;
  let server: Target;
  let authority: TestAuthority;
  const agents: Agent[] = [];
  const file = (name: string): string => path.join(directory, name);

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-nodes-'));
    authority = await createAuthority('nodes');
    await writeFile(file('ca.crt'), authority.pem);
    await writeFile(file('tokens.csv'), 'administrator,ann,7,system:masters\n', { mode: 0o600 });
    server = await start();
    for (const node of ['n1', 'n2']) {
      await create(`${core}/secrets`, { metadata: { name: `of-${node}` }, stringData: { a: 'b' } });
    }
    await create('/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } });
    await create(`${core}/serviceaccounts`, { metadata: { name: 'default' } });
  });
  after(async () => {
    child.kill('SIGKILL');
    await Promise.all(agents.map((agent) => agent.destroy()));
    await rm(directory, { recursive: true });
  });

  async function start(): Promise<Target> {
    child = spawn(process.execPath, [
      program,
      '--identifiers=kubernetes',
      '--store=memory',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      '--log-level=error',
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      `--client-ca-file=${file('ca.crt')}`,
      `--cert-dir=${file('pki')}`,
      `--token-auth-file=${file('tokens.csv')}`,
    ]);
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the program to serve', () => /https:\S+/.test(said) || child.exitCode !== null);
    const url = /https:\S+/.exec(said)?.[0] ?? assert.fail(said);
    return { url, ca: await readFile(file('pki/ca.crt'), 'utf8'), token: 'administrator' };
  }

  async function create(target: string, object: object): Promise<void> {
    const { status, text } = await request(server, 'POST', target, object);
    assert.ok(status === 201 || status === 409, text);
  }

  /** A client with the certificate of a node. */
  async function nodeClient(node: string, groups = ['system:nodes'], ca = authority): Promise<NodeClient> {
    const { certPem: cert, keyPem: key } = await ca.issue(`system:node:${node}`, groups);
    const agent = new Agent({ connect: { ca: server.ca, cert, key } });
    agents.push(agent);
    return async (method, target, body, type = 'application/json') => {
      const { statusCode, body: answer } = await agent.request({
        origin: server.url,
        path: target,
        method,
        headers: { 'content-type': type },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      await answer.dump();
      return statusCode;
    };
  }

  it('register their node and keep their Lease, and no other', async () => {
    const n1 = await nodeClient('n1');
    const named = (name: string): object => ({ metadata: { name } });
    assert.equal(await n1('POST', '/api/v1/nodes', named('n1')), 201);
    assert.equal(await n1('POST', '/api/v1/nodes', named('n2')), 403);
    assert.equal(await n1('POST', leases, named('n1')), 201);
    assert.equal(await n1('POST', leases, named('n2')), 403);
    const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    const merge = 'application/merge-patch+json';
    assert.equal(await n1('PATCH', '/api/v1/nodes/n1/status', ready, merge), 200);
    assert.equal(await n1('DELETE', '/api/v1/nodes/n1'), 403);
  });

  it('read the Secrets of the pods on their node for as long as these exist, and write no status of others', async () => {
    const [n1, n2] = [await nodeClient('n1'), await nodeClient('n2')];
    const secret = `${core}/secrets/of-n1`;
    assert.equal(await n1('GET', secret), 403, 'before the pod');
    for (const node of ['n1', 'n2']) await create(`${core}/pods`, podOf(node));
    assert.equal(await n1('GET', secret), 200);
    assert.equal(await n2('GET', secret), 403);
    assert.equal(await n1('GET', `${core}/secrets`), 403);
    const running = { status: { phase: 'Running' } };
    const merge = 'application/merge-patch+json';
    assert.equal(await n1('PATCH', `${core}/pods/on-n1/status`, running, merge), 200);
    assert.equal(await n2('PATCH', `${core}/pods/on-n1/status`, running, merge), 403);
    const gone = await request(server, 'DELETE', `${core}/pods/on-n1`, { gracePeriodSeconds: 0 });
    assert.equal(gone.status, 200);
    assert.equal(await n1('GET', secret), 403, 'after the pod');
  });

  it('are nobody with a certificate of another CA, and have no rights without their group', async () => {
    const stranger = await nodeClient('n2', ['system:nodes'], await createAuthority('nodes'));
    assert.equal(await stranger('GET', '/api/v1/nodes/n2'), 401);
    const outsider = await nodeClient('n2', []);
    assert.equal(await outsider('GET', `${core}/secrets/of-n2`), 403);
    assert.equal(await outsider('POST', '/api/v1/nodes', { metadata: { name: 'n2' } }), 403);
  });
});
