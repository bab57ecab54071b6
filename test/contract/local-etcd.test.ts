import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findEtcd, startLocalEtcd } from '../../src/etcd/local-etcd.ts';

describe('A local etcd', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'local-etcd-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('serves when it has started, and ends when it is stopped', async () => {
    const binary = await findEtcd();
    const etcd = await startLocalEtcd({ dataDir: join(directory, 'new', 'data'), binary });
    assert.equal((await fetch(`${etcd.endpoint}/health`)).status, 200);
    await etcd.stop();
    await etcd.exited;
    await assert.rejects(fetch(`${etcd.endpoint}/health`));
  });

  it('says why it did not start', async () => {
    // A socket that nobody reads does not notice that its client has gone.
    const other = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    assert.ok(address !== null && typeof address === 'object');
    const reason = new RegExp(`127.0.0.1:${address.port}.*address already in use`, 's');
    for (const logFile of [undefined, join(directory, 'etcd.log')]) {
      await assert.rejects(startLocalEtcd({ dataDir: directory, clientPort: address.port, logFile }), reason);
    }
    other.close();
    await assert.rejects(startLocalEtcd({ dataDir: directory, binary: '/no/such/etcd' }), /\/no\/such\/etcd/);
  });

  it('does not outlive the process that started it, not even a killed one', async () => {
    const module = new URL('../../src/etcd/local-etcd.js', import.meta.url).href;
    const script = `
      const { startLocalEtcd } = await import(${JSON.stringify(module)});
      console.log((await startLocalEtcd({ dataDir: ${JSON.stringify(join(directory, 'data'))} })).endpoint);
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    parent.stdout.setEncoding('utf8');
    const [line] = (await once(parent.stdout, 'data')) as [string];
    const health = `${line.trim()}/health`;
    const statusOf = async (): Promise<number> => {
      const response = await fetch(health);
      // A body that is not read keeps its connection.
      await response.arrayBuffer();
      return response.status;
    };
    assert.equal(await statusOf(), 200);
    parent.kill('SIGKILL');
    await assert.rejects(async () => {
      for (let i = 0; i < 3_000; i++) {
        await statusOf();
        await sleep(20);
      }
    }, TypeError);
  });

  it('is looked for where $ETCD says', async () => {
    assert.equal((await runScript(process.execPath)).stdout, `${process.execPath}\n`);
    await assert.rejects(runScript('/no/such/etcd'), (error: { code?: number; stderr?: string }) => {
      assert.equal(error.code, 3);
      return /\/no\/such\/etcd/.test(error.stderr ?? '');
    });
  });
});

function runScript(etcd: string) {
  return promisify(execFile)('hack/etcd.sh', { env: { ...process.env, ETCD: etcd } });
}
