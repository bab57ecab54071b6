import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { openTcpWay, type TcpWay } from '../../robustness/tcp-way.ts';
import { type Outcome, runCl, type StartedCl, startCl, writeConfig } from './cl-runner.ts';

const program = `${process.execPath} ${path.resolve('dist/src/bin/cl.js')}`;
const lostServer = /^error: .*(?:ECONNREFUSED|ECONNRESET|closed|terminated|cannot reach)/;

describe('cl ends with one line and the code of its failure', () => {
  let world: NodeWorld;
  let directory: string;
  before(async () => {
    world = await startNodeWorld();
    await world.patchStatus(`${podsPath}/p`, { phase: 'Running' });
    directory = await mkdtemp(path.join(tmpdir(), 'cl-endings-'));
    await writeConfig(directory, world.server.clientConfig);
  });
  after(async () => {
    await world[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  const cl = (...args: string[]): Promise<Outcome> => runCl(args, { directory });
  const failed = ({ code, err }: Outcome, wanted: number, line: RegExp): void => {
    assert.deepEqual([code, err.split('\n').length, line.test(err)], [wanted, 2, true], err);
  };

  it('for credentials that the server does not accept', async () => {
    const line = /^error: .*(Unauthorized|logged in)/;
    failed(await cl('get', 'pods', '--token=wrong'), 1, line);
    failed(await cl('logs', 'p', '--token=wrong'), 1, line);
    failed(await cl('exec', 'p', '--token=wrong', '--', 'ls'), 1, line);
    failed(await cl('create', 'configmap', 'c', '--token=wrong'), 1, line);
    failed(await cl('delete', 'pods', '--all', '--token=wrong'), 1, line);
  });

  it('for a server that is not there', async () => {
    for (const args of [
      ['get', 'pods'],
      ['describe', 'pods'],
      ['create', 'configmap', 'c'],
      ['wait', 'pod/p', '--for=condition=Ready'],
      ['exec', 'p', '--', 'ls'],
      ['port-forward', 'p', ':80'],
    ]) {
      failed(await cl('--server=https://127.0.0.1:1', ...args), 1, /^error: .*ECONNREFUSED.* \(start a server/);
    }
  });

  it('for a server that goes away in the middle of an answer', async () => {
    const going = createServer((socket) => {
      socket.on('error', () => {});
      const list = '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[';
      socket.once('data', () => {
        socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n${list}`);
      });
    });
    going.listen(0, '127.0.0.1');
    await once(going, 'listening');
    const { port } = going.address() as AddressInfo;
    failed(await cl(`--server=http://127.0.0.1:${port}`, 'get', 'pods'), 1, /^error: /);
    failed(await cl(`--server=http://127.0.0.1:${port}`, 'get', '--raw', '/api'), 1, /^error: /);
    going.close();
  });

  describe('for a server that goes away', () => {
    let way: TcpWay;
    beforeEach(async () => {
      way = await openTcpWay(world.server.url);
    });
    afterEach(() => way.close());

    const start = (...args: string[]): StartedCl =>
      startCl([`--server=${way.endpoint.replace('http:', 'https:')}`, ...args], { directory });
    const cutAfter = async (started: StartedCl, first: RegExp): Promise<Outcome> => {
      await started.until(first);
      way.cut();
      const code = await started.code;
      return { code, out: started.out(), err: started.err() };
    };

    it('while it watches', async () => {
      failed(await cutAfter(start('get', 'pods', '-w'), /Running/), 1, lostServer);
    });

    it('while it follows a log', async () => {
      world.agent.log('a line');
      failed(await cutAfter(start('logs', '-f', 'p'), /a line/), 1, lostServer);
    });

    it('while it applies and deletes many objects', async () => {
      const one = (index: number) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: many-${index}}\n`;
      await writeFile(path.join(directory, 'many.yaml'), Array.from({ length: 300 }, (_, i) => one(i)).join('---\n'));
      failed(await cutAfter(start('apply', '-f', 'many.yaml'), /many-\d+ created/), 1, lostServer);
      way.mend();
      failed(await cutAfter(start('delete', '-f', 'many.yaml', '--ignore-not-found'), /deleted/), 1, lostServer);
    });
  });

  it('for a client config that does not exist or is wrong', async () => {
    failed(await cl('--clientconfig=none', 'get', 'pods'), 1, /^error: .*none/);
    failed(await cl('--context=none', 'get', 'pods'), 1, /^error: .*context "none" does not exist; there/);
    await writeFile(path.join(directory, 'wrong'), 'clusters: 1\n');
    failed(await cl('--clientconfig=wrong', 'get', 'pods'), 1, /^error: .*clusters is not a list/);
  });

  const shell = (line: string): Promise<Outcome> =>
    promisify(execFile)('bash', ['-c', `set -o pipefail; ${line}`], { cwd: directory }).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        out: stdout,
        err: stderr,
      }),
    );

  it('for a full disk', async () => {
    const full = /^error: the output cannot be written: ENOSPC/;
    failed(await shell(`${program} options > /dev/full`), 1, full);
    failed(await shell(`${program} --clientconfig=config get ns -o yaml > /dev/full`), 1, full);
  });

  it('not for a folder of the cache that cannot be made', async () => {
    await writeFile(path.join(directory, 'taken'), '');
    const { code, out, err } = await cl('get', 'ns', '-o', 'name', '--cache-dir=taken/cache');
    assert.deepEqual([code, err, out.includes('namespace/default\n')], [0, '', true]);
  });

  it('not for a folder in which none can be made, as below /proc', async () => {
    const outcomes = [
      await cl('get', 'ns', '-o', 'name', '--cache-dir=/proc/nope'),
      await runCl(['get', 'ns', '-o', 'name'], { directory, env: { HOME: '/proc/nope' } }),
    ];
    for (const { code, out, err } of outcomes) {
      assert.deepEqual([code, err, out.includes('namespace/default\n')], [0, '', true]);
    }
    const { code, err } = await cl('cluster-info', 'dump', '--output-directory=/proc/nope');
    assert.deepEqual([code, err.startsWith('error: ENOENT')], [1, true], err);
  });

  it('without a line for a reader that has gone', async () => {
    assert.deepEqual(await shell(`${program} options | true`), { code: 0, out: '', err: '' });
    const { code, out, err } = await shell(`${program} --clientconfig=config get --raw /openapi/v2 | head -c 10`);
    assert.deepEqual([code, out.length, err], [0, 10, '']);
  });

  it('with 130 and without a line for an interruption', async () => {
    const started = startCl(['get', 'namespaces', '-w'], { directory });
    await started.until(/default/);
    assert.deepEqual([await started.interrupt(), started.err()], [130, '']);
    const [node = '', script = ''] = program.split(' ');
    const child = spawn(node, [script, '--clientconfig=config', 'get', 'namespaces', '-w'], { cwd: directory });
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    assert.deepEqual([await once(child, 'close'), err], [[130, null], '']);
  });
});
