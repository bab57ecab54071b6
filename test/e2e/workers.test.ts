import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { agentOf, request, type Target } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { programFile } from '../program-file.ts';
import { startTestEtcd, type TestEtcd } from './local-store.ts';

const program = programFile('cl-apiserver');
const maps = '/api/v1/namespaces/default/configmaps';

interface Running extends Target {
  readonly child: ChildProcess;
  /** All that it has written to standard error. */
  readonly errors: () => string;
}

describe('cl-apiserver with workers', function () {
  this.timeout(120_000);
  let directory: string;
  let etcd: TestEtcd;
  let server: Running;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-workers-'));
    await writeFile(path.join(directory, 'tokens.csv'), 'secret,ann,7,"system:masters"\n');
    etcd = await startTestEtcd();
    server = await start(directory, etcd.endpoint);
  });
  after(async () => {
    server?.child.kill('SIGKILL');
    await etcd?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('shares one port among processes, and adds their metrics', async () => {
    assert.equal((await workersOf(server)).length, 2);
    for (let count = 0; count < 10; count++) await onNewConnection(server, `${maps}/missing`);
    const counts = [await requestCount(server), await requestCount(server)];
    assert.deepEqual(counts, [10, 10], 'whichever worker is asked');
    const objects = await metric(server, /^apiserver_storage_objects\{resource="namespaces"\} (\d+)$/m);
    assert.equal(objects, 4, 'what all have is not added');
  });

  it('replaces a worker that is lost, while the other goes on', async () => {
    const [first, second] = await workersOf(server);
    process.kill(Number(first), 'SIGKILL');
    for (let count = 0; count < 5; count++) assert.equal((await onNewConnection(server, maps)).status, 200);
    await until('another worker', async () => {
      const workers = await workersOf(server);
      return workers.length === 2 && workers.includes(second ?? '') && !workers.includes(first ?? '');
    });
  });

  it('replaces all workers on SIGHUP without refusing a connection', async () => {
    const before = await workersOf(server);
    server.child.kill('SIGHUP');
    await until('other workers', async () => {
      assert.equal((await onNewConnection(server, maps)).status, 200);
      const workers = await workersOf(server);
      return workers.length === 2 && !workers.some((worker) => before.includes(worker));
    });
  });

  it('keeps its workers when their successors cannot start', async () => {
    const before = await workersOf(server);
    const tokens = path.join(directory, 'tokens.csv');
    await rename(tokens, `${tokens}.away`);
    server.child.kill('SIGHUP');
    await until('the end of the successors', async () => {
      const workers = await workersOf(server);
      return /2 could not be replaced/.test(server.errors()) && workers.length === 2;
    });
    await rename(`${tokens}.away`, tokens);
    assert.deepEqual([...(await workersOf(server))].toSorted(), [...before].toSorted());
    assert.equal((await onNewConnection(server, maps)).status, 200);
  });

  it('stops all workers on SIGTERM', async () => {
    const workers = await workersOf(server);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    for (const worker of workers) assert.throws(() => process.kill(Number(worker), 0), { code: 'ESRCH' });
  });

  it('needs a store that processes share', async () => {
    const flags = ['--store=memory', '--workers=2', `--token-auth-file=${directory}/tokens.csv`];
    const stderr = /--workers needs a store that processes share/;
    await assert.rejects(promisify(execFile)(process.execPath, [program, ...flags]), { code: 2, stderr });
  });
});

async function start(directory: string, endpoint: string): Promise<Running> {
  const child = spawn(process.execPath, [
    program,
    '--workers=2',
    `--etcd-servers=${endpoint}`,
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--cert-dir=${directory}/pki`,
    `--token-auth-file=${directory}/tokens.csv`,
    '--log-level=error',
  ]);
  let said = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until('the workers to serve', () => /with 2 workers/.test(said) || child.exitCode !== null, 60_000);
  const url = /https:\S+/.exec(said)?.[0] ?? '';
  return {
    child,
    errors: () => errors,
    url,
    ca: await readFile(path.join(directory, 'pki/ca.crt'), 'utf8'),
    token: 'secret',
  };
}

async function workersOf({ child }: Running): Promise<readonly string[]> {
  const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return children.trim().split(' ');
}

/** Each connection goes to the next worker. */
async function onNewConnection(server: Running, target: string): ReturnType<typeof request> {
  const own = { ...server };
  try {
    return await request(own, 'GET', target);
  } finally {
    await agentOf(own).close();
  }
}

async function metric(server: Running, line: RegExp): Promise<number> {
  const { text } = await onNewConnection(server, '/metrics');
  return Number(line.exec(text)?.[1]);
}

function requestCount(server: Running): Promise<number> {
  return metric(server, /^apiserver_request_total\{code="404",.*resource="configmaps".*\} (\d+)$/m);
}
