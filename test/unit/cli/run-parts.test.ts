import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorLine } from '../../../src/cli/cli-error.ts';
import type { ChildProgram } from '../../../src/cli/up/child-program.ts';
import { lastWordsOf } from '../../../src/cli/up/last-words.ts';
import { RunParts } from '../../../src/cli/up/run-parts.ts';
import { runCl } from '../../http/cl/cl-runner.ts';

const record = '{"level":40,"check":"etcd","reason":"no answer","msg":"health check failed"}';
const serving = 'cl-apiserver: serving on https://127.0.0.1:6443';

describe('a part of cl up that ends', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'cl-run-parts-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  const program = (log: string, exited: Promise<string>): ChildProgram => ({
    name: 'apiserver',
    pid: 12,
    logFile: '/data/logs/apiserver.log',
    exited,
    logged: () => log,
    lastWords: () => lastWordsOf(log),
    stop: () => Promise.resolve(),
  });
  const never = new AbortController().signal;

  it('at the start is one line with its reason and the place of its log', async () => {
    const log = `${record}\ncl-apiserver: a.crt cannot be read\n${record}\n    at open (file.js:1:2)\n`;
    const parts = new RunParts(dataDir);
    const starting = parts.start(
      program(log, Promise.resolve('exit code 1')),
      () => Promise.reject(new Error()),
      never,
    );
    await assert.rejects(starting, (error) => {
      const reason = 'apiserver ended with exit code 1: cl-apiserver: a.crt cannot be read';
      assert.equal(errorLine(error), `error: ${reason} (its whole log is /data/logs/apiserver.log)`);
      return true;
    });
  });

  it('later is one line too, and without a reason if it gave none', async () => {
    const parts = new RunParts(dataDir);
    let end = (_how: string): void => {};
    const exited = new Promise<string>((resolve) => (end = resolve));
    await parts.start(program(`${serving}\n${record}\n`, exited), () => Promise.resolve(), never);
    end('signal SIGKILL');
    await exited;
    const place = 'its whole log is /data/logs/apiserver.log; the other parts were stopped';
    assert.equal(errorLine(parts.failure.reason), `error: apiserver (process 12) ended with signal SIGKILL (${place})`);
  });

  it('in the background is what cl up status says later', async () => {
    const statusOf = async (): Promise<string> =>
      (await runCl(['up', 'status', `--data-dir=${dataDir}`], { directory: dataDir })).err;
    const said = 'apiserver (process 12) ended with signal SIGKILL';
    await mkdir(path.join(dataDir, 'logs'));
    const log = path.join(dataDir, 'logs/up.log');
    await writeFile(log, `Ctrl-C stops everything.\nerror: ${said}\n`);
    assert.match(
      await statusOf(),
      /^error: no control plane runs on \S+; the last one in the background: apiserver \(process 12\) ended with /,
    );
    await writeFile(log, 'Ctrl-C stops everything.\nstopping\n');
    assert.match(await statusOf(), /^error: no control plane runs on \S+ \(start one/);
  });

  it('gives the error of an exception, and the end of many lines', () => {
    const exception =
      'file.js:1\n  throw x;\n  ^\n\nRangeError: too deep\n    at f (file.js:1:2)\n\nNode.js v20.20.2\n';
    assert.equal(lastWordsOf(exception), 'RangeError: too deep');
    assert.equal(
      lastWordsOf(['a', 'b', 'c', 'd'].map((flag) => `cl-apiserver: --${flag}`).join('\n')).split('; ').length,
      3,
    );
    assert.ok(lastWordsOf(`cl-apiserver: ${'x'.repeat(10_000)}`).length < 600);
  });
});
