// `make bench`: the server's cost for each operation beside that of a bare baseline in the same run. Only the ratios count.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { findEtcd, startLocalEtcd } from '../../src/etcd/local-etcd.ts';
import { openEtcdStore } from '../../src/storage/etcd-store.ts';
import { type Measurement, measure, residentBytes } from './measure.ts';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
const objects = Number(process.env['BENCH_OBJECTS'] ?? 2000);
const configMaps = '/api/v1/namespaces/default/configmaps';
const here = path.dirname(fileURLToPath(import.meta.url));

const directory = await mkdtemp(path.join(tmpdir(), 'cl-bench-'));
const children: ChildProcess[] = [];

function start(script: string, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [path.join(here, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the child has no standard output');
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
}

interface Row {
  readonly scenario: string;
  readonly ours: Measurement;
  readonly bare: Measurement;
}

function print(rows: readonly Row[]): void {
  console.log('scenario                    ops/s      p50 ms   p99 ms   cpu µs   bare µs  ratio');
  for (const { scenario, ours, bare } of rows) {
    const cells = [
      scenario.padEnd(24),
      ours.operationsPerSecond.toFixed(0).padStart(9),
      ours.p50Ms.toFixed(2).padStart(11),
      ours.p99Ms.toFixed(2).padStart(8),
      ours.cpuMicrosPerOperation.toFixed(0).padStart(8),
      bare.cpuMicrosPerOperation.toFixed(0).padStart(9),
      (ours.cpuMicrosPerOperation / bare.cpuMicrosPerOperation).toFixed(2).padStart(6),
    ];
    console.log(cells.join(' '));
  }
}

async function run(): Promise<void> {
  const etcd = await startLocalEtcd({ binary: await findEtcd(), dataDir: path.join(directory, 'etcd') });
  const pki = path.join(directory, 'pki');
  const server = start('../../src/bin/cl-apiserver.js', [
    `--etcd-servers=${etcd.endpoint}`,
    '--secure-port=0',
    '--bind-address=127.0.0.1',
    `--cert-dir=${pki}`,
    '--log-level=error',
  ]);
  const url = /https:\S+/.exec(await firstLine(server))?.[0] ?? '';
  const dispatcher = new Agent({ connect: { ca: await readFile(path.join(pki, 'ca.crt')) }, connections: 64 });
  const send = async (target: string, method: 'GET' | 'POST' = 'GET', body?: string): Promise<Buffer> => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await request(target, { method, dispatcher, headers, ...(body === undefined ? {} : { body }) });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    if (answer.statusCode >= 300) throw new Error(`${method} ${target}: ${answer.statusCode} ${bytes.toString()}`);
    return bytes;
  };
  const configMap = (name: string): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { app: 'bench' } },
      data: { text: 'x'.repeat(600) },
    });
  while (
    !(await request(`${url}/readyz`, { dispatcher }).then((answer) =>
      answer.body.dump().then(() => answer.statusCode === 200),
    ))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  for (let index = 0; index < objects; index += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(url + configMaps, 'POST', configMap(`c${index + n}`))));
  }

  const answers = path.join(directory, 'answers');
  await mkdir(answers);
  await writeFile(path.join(answers, 'one'), await send(`${url}${configMaps}/c1`));
  await writeFile(path.join(answers, 'list'), await send(url + configMaps));
  const koa = start('bare-koa.js', [path.join(pki, 'apiserver.crt'), path.join(pki, 'apiserver.key'), answers]);
  const koaUrl = `https://127.0.0.1:${await firstLine(koa)}`;

  const pids = { ours: server.pid ?? 0, bare: koa.pid ?? 0 };
  const pair = async (scenario: string, clients: number, ourPath: string, barePath: string): Promise<Row> => ({
    scenario,
    ours: await measure({ pid: pids.ours, clients, seconds }, async () => void (await send(url + ourPath))),
    bare: await measure({ pid: pids.bare, clients, seconds }, async () => void (await send(koaUrl + barePath))),
  });
  const rows = [
    await pair('GET, 1 client', 1, `${configMaps}/c1`, '/one'),
    await pair('GET, 32 clients', 32, `${configMaps}/c1`, '/one'),
    await pair('GET rv=0, 32 clients', 32, `${configMaps}/c1?resourceVersion=0`, '/one'),
    await pair(`LIST ${objects}`, 2, configMaps, '/list'),
    await pair(`LIST ${objects} rv=0`, 2, `${configMaps}?resourceVersion=0`, '/list'),
  ];
  const store = await openEtcdStore({ endpoints: [etcd.endpoint], prefix: '/bench' });
  const value = Buffer.from(configMap('bare'));
  rows.push({
    scenario: 'create, 32 clients',
    ours: await measure(
      { pid: pids.ours, clients: 32, seconds },
      async (turn) => void (await send(url + configMaps, 'POST', configMap(`n${turn}`))),
    ),
    // The same transaction from this process, which also is its own client: an upper bound of what etcd3 costs.
    bare: await measure(
      { pid: process.pid, clients: 32, seconds },
      async (turn) => void (await store.create(`/bench/${turn}`, value)),
    ),
  });
  await store.close();
  print(rows);
  console.log(`resident memory of the server: ${(residentBytes(pids.ours) / 2 ** 20).toFixed(0)} MiB`);
  await dispatcher.close();
  for (const child of children) child.kill();
  await etcd.stop();
}

try {
  await run();
} finally {
  for (const child of children) child.kill();
  await rm(directory, { recursive: true, force: true });
}
