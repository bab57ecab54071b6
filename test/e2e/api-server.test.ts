import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http2 from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Agent } from 'undici';
import { issueClientCertificate } from '../../src/pki/issue-client-certificate.ts';
import { ensureAuthority } from '../../src/pki/ensure-authority.ts';
import { MemoryStore, serveObjectStore } from '../../src/server/index.ts';
import { startServer } from './start-server.ts';
import { readEvents, request, type Target } from '../http/http-client.ts';
import { startTestEtcd } from './local-store.ts';
import { until } from '../http/until.ts';
import { programFile } from '../program-file.ts';

const program = programFile('cl-apiserver');
const namespaces = '/api/v1/namespaces';

interface Running extends Target {
  readonly child: ChildProcess;
  /** What it has written to its log. */
  readonly log: () => string;
}

describe('the program cl-apiserver', () => {
  let directory: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-apiserver-'));
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  });

  async function start(...flags: string[]): Promise<Running> {
    const tokens = path.join(directory, 'tokens.csv');
    await writeFile(tokens, 'secret,ann,7,"dev,ops"\n');
    const pki = path.join(directory, 'pki');
    const usual = [
      '--store=memory',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      `--cert-dir=${pki}`,
      '--log-level=error',
      `--token-auth-file=${tokens}`,
    ];
    const nameOf = (flag: string): string => flag.replace(/=.*/, '');
    const others = usual.filter((flag) => !flags.map(nameOf).includes(nameOf(flag)));
    const child = spawn(process.execPath, [program, ...others, ...flags]);
    children.push(child);
    let said = '';
    let logged = '';
    child.stderr.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the program to serve', () => /https:\S+/.test(said) || child.exitCode !== null);
    const url = /https:\S+/.exec(said)?.[0] ?? '';
    const log = (): string => logged;
    return { child, log, url, ca: await readFile(path.join(pki, 'ca.crt'), 'utf8'), token: 'secret' };
  }

  it('stops on SIGTERM: readyz fails first, watches end cleanly, exit 0', async () => {
    const server = await start('--shutdown-delay-duration=5s');
    const watch = readEvents(server, `${namespaces}?watch=1`);
    await until('the watch to show the namespaces', () => watch.events.length === 4);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await until('readyz to fail', async () => (await request(server, 'GET', '/readyz')).status === 500);
    assert.equal((await request(server, 'GET', '/livez')).status, 200);
    assert.match((await request(server, 'GET', '/readyz?verbose')).text, /\[-\]shutdown failed/);
    assert.equal((await request(server, 'GET', namespaces)).status, 200, 'it still serves');
    assert.deepEqual(await exited, [0, null]);
    assert.ok(watch.ended);
  });

  it('says in one line why it cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await writeFile(path.join(directory, 'tokens.csv'), 'secret,ann,7,"dev,ops"\n');
    const run = promisify(execFile);
    const failing = run(process.execPath, [
      program,
      '--store=memory',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${directory}/pki`,
      `--token-auth-file=${directory}/tokens.csv`,
      '--log-level=error',
    ]);
    await assert.rejects(failing, { code: 1, stderr: new RegExp(`^cl-apiserver: .*EADDRINUSE.*${port}\n$`) });
    taken.close();
  });

  it('says everything that is wrong with its flags at once', async () => {
    const flags = [
      '--securre-port=1',
      '--shutdown-delay-duration=soon',
      '--max-connections=0',
      '--idle-timeout=0',
      '--max-body-bytes-inflight=3145728',
    ];
    const stderr = [
      'cl-apiserver: error: unknown flag --securre-port; did you mean --secure-port?',
      'cl-apiserver: error: --shutdown-delay-duration: "soon" is not valid: use a duration like 30s or 5m',
      // With 0 it would start and refuse every client.
      'cl-apiserver: error: --idle-timeout: "0" is not valid: use a duration of 1ms or more',
      'cl-apiserver: error: --max-connections: "0" is not valid: use a number, 1 or more',
      // It would refuse the largest body at any time.
      'cl-apiserver: error: --max-body-bytes-inflight: "3145728" is not valid: use 0, or at least 4194304',
      'See cl-apiserver --help.',
      '',
    ].join('\n');
    await assert.rejects(promisify(execFile)(process.execPath, [program, ...flags]), { code: 2, stderr });
  });

  it('knows users by static token and by client certificate, and refuses a wrong token', async () => {
    const authority = await ensureAuthority(path.join(directory, 'clients'), 'ca', 'clients');
    const server = await start('--authorization-mode=AlwaysDeny', `--client-ca-file=${authority.certFile}`);
    const denied = await request(server, 'GET', '/api/v1/namespaces/n/secrets');
    assert.equal(denied.status, 403);
    assert.match(
      denied.text,
      /User \\"ann\\" cannot list resource \\"secrets\\" in API group \\"\\" in the namespace \\"n\\"/,
    );
    const wrong = await request({ ...server, token: 'wrong' }, 'GET', namespaces);
    assert.equal(wrong.status, 401);
    assert.equal((wrong.body as { reason: string }).reason, 'Unauthorized');

    const bob = await issueClientCertificate(authority, { username: 'bob', groups: ['dev'] }, 3_600_000);
    const dispatcher = new Agent({ connect: { ca: server.ca, cert: bob.certPem, key: bob.keyPem } });
    const response = await dispatcher.request({ origin: server.url, path: namespaces, method: 'GET' });
    assert.match(await response.body.text(), /User \\"bob\\" cannot list/);
    const stranger = new Agent({ connect: { ca: server.ca } });
    const anonymous = await stranger.request({ origin: server.url, path: namespaces, method: 'GET' });
    assert.match(await anonymous.body.text(), /User \\"system:anonymous\\" cannot list/);
    await Promise.all([dispatcher.close(), stranger.close()]);
  });

  it('does not start where it would serve everyone or no one, and says what to do', async () => {
    const run = promisify(execFile);
    const starting = (...flags: string[]) =>
      run(process.execPath, [program, '--store=memory', '--secure-port=0', `--cert-dir=${directory}/pki`, ...flags], {
        timeout: 60_000,
      });
    await assert.rejects(starting(), {
      code: 1,
      stderr: /^cl-apiserver: no authentication is configured: set --client-ca-file or --token-auth-file, .*\n$/,
    });
    const stderr = /^cl-apiserver: --anonymous-auth=true .* set --bind-address=127\.0\.0\.1, or .*\n$/;
    await assert.rejects(starting('--anonymous-auth'), { code: 1, stderr });
  });

  it('refuses callers without credentials by default, warns of settings that weaken security, and exits at once on a second signal', async () => {
    const server = await start('--log-level=warn', '--bind-address=0.0.0.0', '--shutdown-delay-duration=20s');
    const stranger = new Agent({ connect: { ca: server.ca } });
    const response = await stranger.request({ origin: server.url, path: namespaces, method: 'GET' });
    assert.equal(response.statusCode, 401);
    await response.body.dump();
    await stranger.close();
    const logged = server.log().match(/"msg":"[^"]*/g) ?? [];
    assert.equal(logged.length, 3, server.log());
    assert.match(logged.join('\n'), /AlwaysAllow: every client .*\n.*token-auth-file: .*\n.*can read or write .*csv/);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await until('readyz to fail', async () => (await request(server, 'GET', '/readyz')).status === 500);
    server.child.kill('SIGTERM');
    assert.deepEqual(await exited, [1, null]);
  });

  it('warns of a file of a deprecated version, and mentions deprecated metrics only at level debug', async () => {
    const file = path.join(directory, 'admission.yaml');
    const startWith = async (apiVersion: string, level: string): Promise<Running> => {
      await writeFile(file, `apiVersion: ${apiVersion}\nkind: AdmissionConfiguration\nplugins: []\n`);
      const server = await start(`--log-level=${level}`, `--admission-control-config-file=${file}`);
      await until('readyz', async () => (await request(server, 'GET', '/readyz')).status === 200);
      return server;
    };
    const deprecated = (server: Running): readonly string[] =>
      server.log().match(/"msg":"[^"]* deprecated [^"]*/g) ?? [];
    const warned = deprecated(await startWith('apiserver.cl.io/v1alpha1', 'info'));
    assert.equal(warned.length, 1, warned.join('\n'));
    assert.match(warned[0] ?? '', /cl\.io\/v1alpha1 is deprecated since 1\.17.* use apiserver\.config\.cl\.io\/v1$/);
    const talking = await startWith('apiserver.config.cl.io/v1', 'debug');
    await until('the metrics', () => /the metric \w+ is deprecated/.test(talking.log()));
    for (const message of deprecated(talking)) assert.match(message, /the metric \w+ is deprecated/);
  });

  it('starts while its etcd is down: it answers, is not ready; ready when etcd has come', async () => {
    await using etcd = await startTestEtcd();
    await etcd.kill();
    const server = await start('--store=etcd', `--etcd-servers=${etcd.endpoint}`);
    assert.equal((await request(server, 'GET', '/livez/ping')).status, 200);
    assert.equal((await request(server, 'GET', '/livez')).status, 500);
    const ready = await request(server, 'GET', '/readyz');
    assert.equal(ready.status, 500);
    assert.match(ready.text, /\[-\]etcd failed: reason withheld/);
    const write = await request(server, 'POST', namespaces, { metadata: { name: 'early' } });
    assert.ok(write.status >= 500, write.text);
    await etcd.start();
    await until('readyz', async () => (await request(server, 'GET', '/readyz')).status === 200);
    assert.equal((await request(server, 'POST', namespaces, { metadata: { name: 'later' } })).status, 201);
  });
});

describe('a server whose store is in another process', () => {
  it('serves it over gRPC (--storage-endpoint)', async () => {
    const memory = new MemoryStore();
    const served = await serveObjectStore(memory, '127.0.0.1:0');
    await using server = await startServer({ store: { kind: 'remote', endpoint: served.endpoint } });
    const watch = readEvents(server, `${namespaces}?watch=1`);
    await until('the state', () => watch.events.length === 4);
    assert.equal((await request(server, 'POST', namespaces, { metadata: { name: 'far' } })).status, 201);
    await until('the event', () => watch.events.length === 5);
    assert.equal(watch.events[4]?.object.metadata.name, 'far');
    watch.stop();
    await server.stop();
    await served.close();
    await memory.close();
  });
});

describe('HTTP/2', () => {
  it('carries requests and watches over one connection, chosen by ALPN', async () => {
    await using server = await startServer();
    const session = http2.connect(server.url, { ca: server.ca });
    const headers = { authorization: `Bearer ${server.token}` };
    const watch = session.request({ ':path': `${namespaces}?watch=1`, ...headers });
    let seen = '';
    watch.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    await until('the state', () => seen.split('\n').length === 5);
    const create = session.request({
      ':path': namespaces,
      ':method': 'POST',
      'content-type': 'application/json',
      ...headers,
    });
    create.end(JSON.stringify({ metadata: { name: 'two' } }));
    const [answered] = (await once(create, 'response')) as [http2.IncomingHttpHeaders];
    assert.equal(answered[':status'], 201);
    await until('the event', () => /"name":"two"/.test(seen));
    create.close();
    watch.close(http2.constants.NGHTTP2_CANCEL);
    session.destroy();
  });
});
