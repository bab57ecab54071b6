import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '../http/until.ts';
import { programFile } from '../program-file.ts';
import { freePort } from '../free-ports.ts';
import { absentMetrics, metricsOfRequests } from './monitoring/absent-metrics.ts';
import { queriesOfDashboards, queriesOfRules } from './monitoring/monitored-queries.ts';
import { ruleGroups } from './monitoring/rule-groups.ts';
import { metricsInTexts, unknownNames } from './monitoring/unknown-names.ts';
import { UpProcess } from './up-process.ts';

const script = programFile('cl');
const run = promisify(execFile);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('cl up', () => {
  let directory: string;
  /** Plane of the story before, which the next story goes on with. */
  let plane: UpProcess;
  const planes: UpProcess[] = [];
  const start = (...args: string[]): UpProcess => {
    const started = new UpProcess(directory, args);
    planes.push(started);
    return started;
  };
  const up = async (): Promise<UpProcess> => start(`--secure-port=${await freePort()}`).ready();
  const cl = async (...args: string[]): Promise<string> => {
    const { stdout } = await run(process.execPath, [script, ...args], { cwd: directory });
    return stdout;
  };
  const parts = async (): Promise<Record<string, number>> => {
    const record: { parts: Record<string, number> } = JSON.parse(
      await readFile(path.join(directory, '.cl', 'run.json'), 'utf8'),
    );
    return record.parts;
  };

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-up-'));
  });
  after(async () => {
    await Promise.all(planes.map((started) => started.end('SIGTERM')));
    await rm(directory, { recursive: true, force: true });
  });

  it('names a taken port and uses the next one', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    plane = await start(`--secure-port=${port}`).ready();
    taken.close();
    const [, wanted, used] = /port (\d+) is taken; using (\d+)/.exec(plane.err) ?? assert.fail(plane.err);
    assert.equal(Number(wanted), port);
    assert.ok(Number(used) > port, used);
    assert.match(plane.out, new RegExp(`^apiserver +https://127\\.0\\.0\\.1:${used}`, 'm'));
  });

  it('starts everything, and prints commands that work', async () => {
    for (const name of ['etcd', 'apiserver', 'controllers', 'client config']) {
      assert.match(plane.out, new RegExp(`^${name} +\\S+`, 'm'));
    }
    const curl = /^ {2}curl (.*)$/m.exec(plane.out)?.[1]?.split(' ') ?? assert.fail('no curl command');
    // Quicker than `cl`, for what is asked again and again.
    const read = async (at: string): Promise<string> => {
      const args = curl.map((arg) => arg.replace('/api/v1/namespaces', at));
      return (await run('curl', ['-sS', '--fail', ...args], { cwd: directory, maxBuffer: 1 << 26 })).stdout;
    };
    assert.match(await read('/api/v1/namespaces'), /"NamespaceList"/);
    assert.match(await cl('get', 'namespaces', '-o', 'name'), /^namespace\/default$/m);
    assert.equal(await cl('auth', 'can-i', '*', '*'), 'yes\n');
    await assert.rejects(cl('auth', 'can-i', 'get', 'secrets', '--as=nobody'), { code: 1, stdout: 'no\n' });
    await writeFile(path.join(directory, 'a.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kept}\n');
    assert.equal(await cl('create', '-f', 'a.yaml'), 'configmap/kept created\n');
    await until('the controllers lead', async () =>
      (await read('/apis/coordination.cl.io/v1/namespaces/cl-system/leases')).includes('cl-controller-manager'),
    );
    await until('the default account', async () =>
      /"name": ?"default"/.test(await read('/api/v1/namespaces/default/serviceaccounts')),
    );
    assert.match(await cl('get', 'serviceaccounts', '-n', 'default', '-o', 'name'), /^serviceaccount\/default$/m);
    assert.match(await cl('version'), /^client .*\nserver v/);
    const found = await run(process.execPath, [script, 'doctor'], { cwd: directory }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
    assert.match(found, /^ok +the parts of the control plane run: etcd, apiserver, controllers$/m);
    assert.match(found, /^ok +etcd \d\S+ answers at http:\S+; its database has \d+ MiB$/m);
    assert.match(found, /^ok +the \d certificates in \S+ do not expire soon$/m);
    assert.match(found, /^ok +its store has no alarms$/m);
    await checkMetrics(await read('/metrics'));
  });

  /** The metrics of all parts have the names and labels that the dashboards and alerts of deploy/monitoring use. */
  async function checkMetrics(ofServer: string): Promise<void> {
    const addresses = ['etcd', 'controllers'].map(
      (part) => new RegExp(`^${part} +(http:[^\\s,]+)`, 'm').exec(plane.out)?.[1],
    );
    const texts = await Promise.all(addresses.map(async (url) => (await fetch(`${url}/metrics`)).text()));
    const folder = 'deploy/monitoring';
    const queries = [...(await queriesOfDashboards(folder)), ...queriesOfRules(await ruleGroups(folder))];
    const mayBeAbsent = (metric: string): boolean =>
      metric in absentMetrics || metricsOfRequests.some((beginning) => metric.startsWith(beginning));
    assert.deepEqual(unknownNames(queries, metricsInTexts([ofServer, ...texts]), mayBeAbsent), []);
  }

  it('refuses a second run on the same data, and says which process has it', async () => {
    await assert.rejects(cl('up'), (error: Error & { code?: number; stderr?: string }) => {
      assert.equal(error.code, 1);
      assert.match(error.stderr ?? '', new RegExp(`already runs on .* as process ${plane.child.pid}`));
      return true;
    });
  });

  it('stops everything, and finds the data again', async () => {
    const pids = Object.values(await parts());
    assert.equal(pids.length, 3);
    if (process.platform === 'linux') {
      const environments = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'latin1')));
      const settled = environments.filter((one) => one.includes('MALLOC_MMAP_THRESHOLD_='));
      assert.equal(settled.length, 2, 'the programs of the package return memory');
    }
    assert.equal(await plane.end('SIGINT'), 0, plane.err);
    assert.deepEqual(pids.filter(isAlive), []);
    plane = await up();
    assert.equal(await cl('get', 'configmap', 'kept', '-o', 'name'), 'configmap/kept\n');
  });

  it('ends what a killed run left behind', async () => {
    const left = Object.values(await parts());
    await plane.end('SIGKILL');
    plane = await up();
    for (const pid of left) assert.equal(isAlive(pid), false);
    assert.match(plane.err, /ended apiserver \(process \d+\), left by an earlier run/);
  });

  it('stops the rest and says why when a part dies', async () => {
    const { apiserver = 0, ...others } = await parts();
    const exited = once(plane.child, 'exit');
    process.kill(apiserver, 'SIGKILL');
    await exited;
    assert.equal(plane.child.exitCode, 1);
    const log = path.join(directory, '.cl/logs/apiserver.log');
    const [, named] =
      /^error: apiserver \(process \d+\) ended with signal SIGKILL \(its whole log is (\S+); .*\)\n$/m.exec(
        plane.err,
      ) ?? [];
    assert.equal(named && (await realpath(named)), await realpath(log), plane.err);
    assert.doesNotMatch(await readFile(log, 'utf8'), /health check failed|"stack"/, 'nothing was wrong before');
    assert.deepEqual(Object.keys(others).toSorted(), ['controllers', 'etcd']);
    assert.deepEqual(Object.values(others).filter(isAlive), []);
  });

  it('gives each of three that start at the same time ports of their own', async () => {
    const port = `--secure-port=${await freePort()}`;
    const sets = { one: 'cluster', two: 'cluster', three: 'kubernetes' };
    const three = Object.entries(sets).map(([name, set]) =>
      start(`--data-dir=${name}`, '--store=memory', port, `--identifiers=${set}`),
    );
    const outputs = (await Promise.all(three.map((started) => started.ready()))).map(({ out }) => out);
    const urls = outputs.flatMap((out) => out.match(/^(?:apiserver|controllers) +\S+/gm) ?? []);
    assert.equal(new Set(urls).size, 6, urls.join());
    for (const { child, err } of three) assert.equal(child.exitCode, null, err);
    for (const out of outputs) assert.match(out, /^Ctrl-C stops everything\.$/m, 'nothing stays');
    for (const [name, set] of Object.entries(sets)) {
      const config = `--clientconfig=${name}/admin.${set === 'kubernetes' ? 'kubeconfig' : 'clientconfig'}`;
      const system = set === 'kubernetes' ? 'kube-system' : 'cl-system';
      assert.match(await cl(config, 'get', 'ns', '-o', 'name'), new RegExp(`^namespace/${system}$`, 'm'));
    }
  });

  it('says what to do when etcd cannot be started', async () => {
    await assert.rejects(cl('up', '--etcd=/nowhere/etcd'), (error: Error & { code?: number; stderr?: string }) => {
      assert.equal(error.code, 1);
      assert.match(error.stderr ?? '', /^error: .*\/nowhere\/etcd/m);
      return true;
    });
  });
});
