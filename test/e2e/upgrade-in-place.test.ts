import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createAuthority } from '../http/identity/certificate-authority.ts';
import { type HttpResponse, request, type Target } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { answer, startTlsServer, type TlsServer } from '../unit/outbound/start-tls-server.ts';
import { startTestEtcd } from './local-store.ts';
import { copyPackage, type PackageCopy } from './replaced-package.ts';
import { onNewConnection, startWorkersOf, workersOf } from './worker-processes.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const definitions = '/apis/apiextensions.cl.io/v1/customresourcedefinitions';
const requests = '/apis/certificates.cl.io/v1/certificatesigningrequests';
const yaml = { 'content-type': 'application/yaml' };

describe('programs whose files are removed while they run, as by an upgrade in place', () => {
  let copy: PackageCopy;
  let server: Target;
  let hooks: TlsServer;
  const children: ChildProcess[] = [];

  before(async () => {
    copy = await copyPackage();
    hooks = await startTlsServer();
    server = await startApiServer(copy, children);
    await startManager(copy, server, children);
    for (const child of children) await untilIdle(child);
    await copy.removeFiles();
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await hooks?.stop();
    await copy?.[Symbol.asyncDispose]();
  });

  const send = (method: string, target: string, body: unknown, headers = {}): Promise<HttpResponse> =>
    request(server, method, target, body, headers);
  const create = async (target: string, body: unknown, headers = {}): Promise<void> => {
    const response = await send('POST', target, body, headers);
    assert.ok(response.status === 200 || response.status === 201, response.text);
  };

  it('read and write YAML of any size', async () => {
    for (const bytes of [10, 20_000, 300_000]) {
      await create(configMaps, `metadata: {name: yaml-${bytes}}\ndata: {a: ${'x'.repeat(bytes)}}\n`, yaml);
      const shown = await send('GET', `${configMaps}/yaml-${bytes}`, undefined, { accept: 'application/yaml' });
      assert.equal(shown.status, 200);
      assert.match(shown.text, /^kind: ConfigMap$/m);
    }
  });

  it('publish OpenAPI in Protobuf', async () => {
    for (const [document, version] of [['/openapi/v2', 'v2'] as const, ['/openapi/v3/api/v1', 'v3'] as const]) {
      const accept = `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
      const { status, text } = await send('GET', document, undefined, { accept });
      assert.equal(status, 200, text.slice(0, 200));
    }
  });

  it('match the patterns of custom kinds', async () => {
    await create(definitions, {
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', properties: { size: { type: 'string', pattern: '^[0-9]+$' } } },
            },
          },
        ],
      },
    });
    const widget = (size: string): object => ({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: `a-${size}` },
      size,
    });
    const widgets = '/apis/example.com/v1/widgets';
    await until('the kind', async () => (await send('GET', widgets, undefined)).status === 200);
    await create(widgets, widget('1'));
    assert.equal((await send('POST', widgets, widget('one'))).status, 422);
  });

  it('call webhooks', async () => {
    hooks.handle = ({ body }, response) => {
      const { request: asked } = JSON.parse(body) as { readonly request: { readonly uid: string } };
      const review = { apiVersion: 'admission.cl.io/v1', kind: 'AdmissionReview' };
      answer(response, 200, { ...review, response: { uid: asked.uid, allowed: false, status: { message: 'asked' } } });
    };
    const { server: url, ca = '' } = hooks.settings;
    await create('/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations', {
      metadata: { name: 'hooks' },
      webhooks: [
        {
          name: 'secrets.example.com',
          rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE'] }],
          clientConfig: { url, caBundle: Buffer.from(ca).toString('base64') },
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    await until('the webhook', async () => {
      const { status, text } = await send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'a' } });
      assert.ok(status === 201 || text.includes('asked') || status === 409, text);
      return text.includes('asked');
    });
  });

  it('issue and verify tokens of service accounts', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await create(accounts, { metadata: { name: 'robot' } });
    const issued = await send('POST', `${accounts}/robot/token`, { spec: { audiences: [] } });
    assert.equal(issued.status, 201, issued.text);
    const { token } = (issued.body as { readonly status: { readonly token: string } }).status;
    const review = await send('POST', '/apis/authentication.cl.io/v1/tokenreviews', { spec: { token } });
    assert.match(review.text, /"username":"system:serviceaccount:default:robot"/);
  });

  it('sign certificates', async () => {
    const file = (name: string): string => path.join(copy.directory, name);
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file('key')];
    await promisify(execFile)('openssl', ['req', '-new', ...key, '-subj', '/CN=a', '-out', file('request')]);
    const spec = {
      request: (await readFile(file('request'))).toString('base64'),
      signerName: 'cluster.io/cl-apiserver-client',
      usages: ['client auth'],
    };
    await create(requests, { metadata: { name: 'a' }, spec });
    const { body } = await send('GET', `${requests}/a`, undefined);
    const approved = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Test' }] } };
    const approval = await send('PUT', `${requests}/a/approval`, { ...(body as object), ...approved });
    assert.equal(approval.status, 200, approval.text);
    await until('the certificate', async () =>
      /"certificate":/.test((await send('GET', `${requests}/a`, undefined)).text),
    );
  });
});

describe('a server with workers whose program is replaced while it runs', () => {
  it('starts no worker of the other build, says so, and ends with its last worker', async () => {
    await using copy = await copyPackage();
    await using etcd = await startTestEtcd();
    await writeFile(path.join(copy.directory, 'tokens.csv'), 'secret,ann,7,system:masters\n', { mode: 0o600 });
    const server = await startWorkersOf(copy.program('cl-apiserver'), copy.directory, etcd.endpoint);
    try {
      const [first, ...others] = await workersOf(server);
      await copy.replaceProgram('cl-apiserver');
      server.child.kill('SIGHUP');
      await until('the refusal', () => server.errors().includes('the program was replaced, so no worker is'));
      process.kill(Number(first), 'SIGKILL');
      await until('the report', () => server.errors().includes('restart it to have all workers again'));
      assert.deepEqual(await workersOf(server), others);
      assert.equal((await onNewConnection(server, configMaps)).status, 200);
      const ended = once(server.child, 'exit');
      for (const worker of others) process.kill(Number(worker), 'SIGKILL');
      assert.deepEqual(await ended, [1, null]);
    } finally {
      server.child.kill('SIGKILL');
    }
  });
});

/** Starts a program and adds its process; resolves with its output when that matches. */
async function startProgram(
  file: string,
  args: readonly string[],
  children: ChildProcess[],
  started: RegExp,
): Promise<string> {
  const child = spawn(process.execPath, [file, ...args]);
  children.push(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until('the program to start', () => {
    assert.equal(child.exitCode, null, said);
    return started.test(said);
  });
  return said;
}

async function startApiServer(copy: PackageCopy, children: ChildProcess[]): Promise<Target> {
  const file = (name: string): string => path.join(copy.directory, name);
  await writeFile(file('tokens.csv'), 'secret,ann,7,system:masters\n', { mode: 0o600 });
  const key = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', file('accounts.key')];
  await promisify(execFile)('openssl', ['genpkey', ...key]);
  const flags = [
    '--store=memory',
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--cert-dir=${file('pki')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    `--service-account-signing-key-file=${file('accounts.key')}`,
    `--service-account-key-file=${file('accounts.key')}`,
    '--log-level=error',
  ];
  const said = await startProgram(copy.program('cl-apiserver'), flags, children, /https:\S+/);
  const url = /https:\S+/.exec(said)?.[0] ?? '';
  const server = { url, ca: await readFile(file('pki/ca.crt'), 'utf8'), token: 'secret' };
  await until('ready', async () => (await request(server, 'GET', '/readyz')).status === 200);
  return server;
}

async function startManager(copy: PackageCopy, { url, ca, token }: Target, children: ChildProcess[]): Promise<void> {
  const file = (name: string): string => path.join(copy.directory, name);
  const name = 'test';
  await writeFile(
    file('config.json'),
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    }),
    { mode: 0o600 },
  );
  const authority = await createAuthority('clients');
  await writeFile(file('clients.crt'), authority.pem);
  await writeFile(file('clients.key'), authority.keyPem, { mode: 0o600 });
  const flags = [
    `--clientconfig=${file('config.json')}`,
    '--health-port=0',
    '--leader-elect=false',
    '--controllers=csrsigning',
    `--cluster-signing-cert-file=${file('clients.crt')}`,
    `--cluster-signing-key-file=${file('clients.key')}`,
  ];
  await startProgram(copy.program('cl-controller-manager'), flags, children, /running controllers/);
}

/** Waits until a process has used next to no CPU for a while: its start is over. Linux alone tells. */
async function untilIdle({ pid }: ChildProcess): Promise<void> {
  const ticks = async (): Promise<number> => {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  for (let before = await ticks(); ; ) {
    await sleep(2_000);
    const now = await ticks();
    if (now - before < 5) return;
    before = now;
  }
}
