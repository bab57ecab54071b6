import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeRunRecord, endEarlierRun, writeRunRecord } from '../../../src/cli/up/run-record.ts';

const forever = 'setInterval(() => {}, 1000)';

async function start(...args: string[]) {
  const child = spawn(process.execPath, ['-e', forever, '--', ...args], { stdio: 'ignore' });
  await once(child, 'spawn');
  return { pid: child.pid ?? 0, exited: once(child, 'exit'), child };
}

describe('the record of a run', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'record-'));
  });
  after(() => rm(directory, { recursive: true }));

  const settle = async () => {
    const stopped: string[] = [];
    const other = await endEarlierRun(directory, (name, pid) => stopped.push(`${name} ${pid}`));
    return { stopped, other };
  };

  it('is empty before the first run and after a clean end', async () => {
    assert.deepEqual(await settle(), { stopped: [], other: 0 });
    await writeRunRecord(directory, { supervisor: process.pid, parts: {} });
    await removeRunRecord(directory);
    assert.deepEqual(await settle(), { stopped: [], other: 0 });
  });

  it('lets parts of a killed run be ended, and nothing else', async () => {
    const [part, stranger] = await Promise.all([start(`--data-dir=${directory}`), start('another')]);
    await writeRunRecord(directory, { supervisor: 2 ** 22 + 1, parts: { etcd: part.pid, apiserver: stranger.pid } });
    assert.deepEqual(await settle(), { stopped: [`etcd ${part.pid}`], other: 0 });
    await part.exited;
    assert.equal(stranger.child.exitCode, null);
    stranger.child.kill();
    await stranger.exited;
  });

  it('names a supervisor that still runs', async () => {
    const supervisor = await start('up');
    await writeRunRecord(directory, { supervisor: supervisor.pid, parts: {} });
    assert.deepEqual(await settle(), { stopped: [], other: supervisor.pid });
    supervisor.child.kill();
    await supervisor.exited;
  });
});
