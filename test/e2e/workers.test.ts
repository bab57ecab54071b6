import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { clientConfigText } from '../../src/testing/client-config-text.ts';
import { startCl, writeConfig } from '../http/cl/cl-runner.ts';
import { newAgent, readEvents } from '../http/http-client.ts';
import { until } from '../http/until.ts';
import { programFile } from '../program-file.ts';
import { auditFlags, checkAuditLogs } from './audit-check.ts';
import { startTestEtcd, type TestEtcd } from './local-store.ts';
import { startLoad } from './worker-load.ts';
import {
  metricOf,
  onNewConnection,
  spawnWorkers,
  startWorkers,
  untilServing,
  type WorkerServer,
  workersOf,
} from './worker-processes.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const policy = {
  apiVersion: 'audit.cl.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', resources: [{ group: '', resources: ['serviceaccounts/token'] }] }, { level: 'None' }],
};

describe('cl-apiserver with workers', () => {
  let directory: string;
  let etcd: TestEtcd;
  let server: WorkerServer;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-workers-'));
    await writeFile(path.join(directory, 'tokens.csv'), 'secret,ann,7,"system:masters"\n');
    await writeFile(path.join(directory, 'policy.json'), JSON.stringify(policy));
    etcd = await startTestEtcd();
    const audit = [`--audit-policy-file=${directory}/policy.json`, `--audit-log-path=${directory}/audit.log`];
    const debug = `--debug-socket-path=${directory}/debug.sock`;
    server = await startWorkers(directory, etcd.endpoint, '--enable-dashboard', debug, ...audit);
  });
  after(async () => {
    server?.child.kill('SIGKILL');
    await etcd?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  it('shares one port among processes, and adds their metrics', async () => {
    const workers = await workersOf(server);
    assert.equal(workers.length, 2);
    for (const pid of workers) {
      assert.match(await readFile(`/proc/${pid}/environ`, 'latin1'), /\0MALLOC_TRIM_THRESHOLD_=\d/);
    }
    for (let count = 0; count < 10; count++) await onNewConnection(server, `${maps}/missing`);
    const counts = [await missingCount(server), await missingCount(server)];
    assert.deepEqual(counts, [10, 10], 'whichever worker is asked');
    const objects = await metricOf(server, /^apiserver_storage_objects\{resource="namespaces"\} (\d+)$/m);
    assert.equal(objects, 4, 'what all have is not added');
    const healthChecks = async (): Promise<number> => {
      const { text } = await onNewConnection(server, '/metrics/slis');
      return Number(/^\w+_healthchecks_total\{name="ping",status="success",type="livez"\} (\d+)$/m.exec(text)?.[1]);
    };
    for (let count = 0; count < 6; count++) await onNewConnection(server, '/livez');
    assert.deepEqual([await healthChecks(), await healthChecks()], [6, 6]);
  });

  it('adds the gauges of what each process has', async () => {
    // No server watches these itself.
    const line = /^apiserver_registered_watchers\{.*kind="PodTemplate".*\} (\d+)$/m;
    const watches = [0, 1, 2].map(() => readEvents({ ...server }, '/api/v1/podtemplates?watch=1'));
    await until('the watches', () => watches.every(({ status }) => status === 200));
    assert.equal(await metricOf(server, line), 3);
    for (const reader of watches) reader.stop();
    await until('their end', async () => (await metricOf(server, line)) === 0);
  });

  it('serves the same dashboard from each process, and to `cl dashboard` as to one', async () => {
    const script = '/dashboard/dashboard.js';
    const answers = await Promise.all([1, 2, 3, 4].map(() => onNewConnection(server, script)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ headers }) => headers['etag'])).size, 1);
    await writeConfig(directory, clientConfigText({ ...server, server: server.url }));
    const started = startCl(['dashboard'], { directory });
    const [, link = '', origin = ''] = await started.until(/works once: ((http:\S+)\/open\S+)\n/);
    const opened = await fetch(link);
    const headers = { cookie: (opened.headers.get('set-cookie') ?? '').replace(/;.*/, '') };
    const paths = [script, '/version', maps, `${maps}?watch=true&timeoutSeconds=1`, '/dashboard'];
    const responses = await Promise.all(paths.map((at) => fetch(`${origin}${at}`, { headers })));
    assert.deepEqual(
      responses.map(({ status }) => status),
      paths.map(() => 200),
    );
    await Promise.all(responses.map((response) => response.text()));
    await started.interrupt();
  });

  it('names the worker whose requests a dump shows', async () => {
    const queues = '/debug/api_priority_and_fairness/dump_queues';
    const dumps = await Promise.all([1, 2, 3, 4].map(() => onNewConnection(server, queues)));
    for (const { status, headers } of dumps) {
      assert.equal(status, 200);
      assert.match(String(headers['x-worker']), /^[12]$/);
    }
    for (const worker of ['1', '2']) {
      const socketPath = path.join(directory, `debug.sock.${worker}`);
      const [response] = (await once(
        requestHttp({ socketPath, path: '/debug/profile?seconds=none' }).end(),
        'response',
      )) as [IncomingMessage];
      response.resume();
      assert.deepEqual([response.statusCode, response.headers['x-worker']], [400, worker]);
    }
  });

  it('accepts the tokens of each other, by the key that the first one made', async () => {
    const account = { metadata: { name: 'robot' } };
    await onNewConnection(server, '/api/v1/namespaces/default/serviceaccounts', 'POST', account);
    const issue = () => onNewConnection(server, `${accounts}/robot/token`, 'POST', { spec: {} });
    for (const issued of await Promise.all([issue(), issue(), issue(), issue()])) {
      assert.equal(issued.status, 201, issued.text);
      const { token } = (issued.body as { readonly status: { readonly token: string } }).status;
      const owner = { ...server, token };
      const uses = await Promise.all([onNewConnection(owner, '/api'), onNewConnection(owner, '/api')]);
      for (const { status } of uses) assert.equal(status, 200);
    }
  });

  it('records each request once, in the log of the worker that served it', async () => {
    const logs = await Promise.all(
      ['audit.log', 'audit-2.log'].map((name) => readFile(path.join(directory, name), 'utf8')),
    );
    const ids = logs.flatMap((log) => log.split('\n').flatMap((line) => /"auditID":"([^"]+)"/.exec(line)?.[1] ?? []));
    assert.deepEqual([ids.length, new Set(ids).size], [4, 4], 'the requests for tokens');
  });

  it('replaces a worker that is lost, while the other goes on; its watches end', async () => {
    const [first, second] = await workersOf(server);
    const counted = await missingCount(server);
    const watches = [0, 1, 2, 3].map(() => readEvents({ ...server }, `${maps}?watch=1`));
    await until('the watches', () => watches.every(({ status }) => status === 200));
    process.kill(Number(first), 'SIGKILL');
    const ended = (): number => watches.filter((reader) => reader.ended).length;
    await until('the end of its watches', () => ended() > 0);
    for (let count = 0; count < 5; count++) assert.equal((await onNewConnection(server, maps)).status, 200);
    await until('another worker', async () => {
      const workers = await workersOf(server);
      return workers.length === 2 && workers.includes(second ?? '') && !workers.includes(first ?? '');
    });
    assert.equal(await missingCount(server), counted, 'what it has counted is kept');
    assert.ok(ended() < watches.length, 'those of the other go on');
    for (const reader of watches) reader.stop();
  });

  it('replaces all workers after the start when SIGHUP comes before they serve', async () => {
    const child = spawnWorkers(programFile('cl-apiserver'), directory, etcd.endpoint, '--etcd-prefix=/other');
    try {
      const early = async (): Promise<readonly string[]> => (await workersOf({ child })).filter((pid) => pid !== '');
      await until('the first worker', async () => (await early()).length > 0);
      const [first] = await early();
      child.kill('SIGHUP');
      const other = await untilServing(child, directory);
      await until('other workers', async () => {
        const workers = await workersOf(other);
        return workers.length === 2 && !workers.includes(first ?? '');
      });
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('replaces all workers on SIGHUP without an error of a client', async () => {
    const before = await workersOf(server);
    const counted = await missingCount(server);
    const load = startLoad(server, maps);
    await until('the load', () => load.responses() > 20);
    server.child.kill('SIGHUP');
    const areOthers = async (): Promise<boolean> => {
      const workers = await workersOf(server);
      return workers.length === 2 && !workers.some((worker) => before.includes(worker));
    };
    try {
      await until('other workers', areOthers);
    } finally {
      assert.deepEqual(await load.stop(), []);
    }
    assert.equal(await missingCount(server), counted, 'counters do not fall');
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

  it('ends with its first process', async () => {
    const other = await startWorkers(directory, etcd.endpoint, ...(await auditFlags(directory)));
    const workers = await workersOf(other);
    const watches = await Promise.all([openWatch(other), openWatch(other)]);
    other.child.kill('SIGKILL');
    for (const watch of watches) assert.equal(await watch.body.text(), '', 'it ends as one that has timed out');
    await Promise.all(watches.map((watch) => watch.close()));
    await until('the end of the workers', () => workers.every((worker) => !isRunning(Number(worker))));
    const refused = connect(Number(new URL(other.url).port), '127.0.0.1');
    await assert.rejects(once(refused, 'connect'), { code: 'ECONNREFUSED' });
    await checkAuditLogs(directory, [other.token], true);
  });

  it('needs a store that processes share', async () => {
    const flags = ['--store=memory', '--workers=2', `--token-auth-file=${directory}/tokens.csv`];
    const stderr = /--workers needs a store that processes share/;
    await assert.rejects(promisify(execFile)(process.execPath, [programFile('cl-apiserver'), ...flags]), {
      code: 2,
      stderr,
    });
  });
});

const accounts = '/api/v1/namespaces/default/serviceaccounts';

/** Opens a watch on a connection of its own. */
async function openWatch(server: WorkerServer) {
  const agent = newAgent(server);
  const headers = { authorization: `Bearer ${server.token}` };
  const target = '/api/v1/podtemplates?watch=1';
  const { body } = await agent.request({ origin: server.url, path: target, method: 'GET', headers });
  return { body, close: () => agent.close() };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function missingCount(server: WorkerServer): Promise<number> {
  return metricOf(server, /^apiserver_request_total\{code="404",.*resource="configmaps".*\} (\d+)$/m);
}
