import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unifiedDiff } from '../../../src/cli/commands/inspect/diff/unified-diff.ts';
import { type ClServer, startClServer } from './cl-runner.ts';

const settings = (data: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, labels: {app: web}}\ndata: ${data}\n`;

const secret = (data: string): string => `apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\nstringData: ${data}\n`;

describe('cl diff', () => {
  let plane: ClServer;
  const diff = (text: string, ...args: string[]) => plane.pipe(text, 'diff', '-f', '-', ...args);
  before(async () => {
    plane = await startClServer();
    const { code, err } = await plane.pipe(
      `${settings("{a: '1', b: '2'}")}---\n${secret('{password: hunter2, user: ann}')}`,
      'apply',
      '-f',
      '-',
    );
    assert.equal(code, 0, err);
  });
  after(() => plane[Symbol.asyncDispose]());

  it('shows nothing and ends with 0 if nothing would change', async () => {
    assert.deepEqual(await diff(settings("{a: '1', b: '2'}")), { code: 0, out: '', err: '' });
  });

  it('shows what would change and be removed, changes nothing, and ends with 1', async () => {
    for (let time = 0; time < 2; time++) {
      const { code, out, err } = await diff(settings("{a: '3'}"));
      assert.deepEqual([code, err], [1, '']);
      const name = 'v1.ConfigMap.default.settings';
      assert.match(
        out,
        new RegExp(`^diff -u -N LIVE/${name} MERGED/${name}\n--- LIVE/${name}\n\\+\\+\\+ MERGED/${name}\n@@ `),
      );
      assert.match(out, /\n data:\n- {2}a: "1"\n- {2}b: "2"\n\+ {2}a: "3"\n/);
    }
  });

  it('shows an object that would be created as added', async () => {
    const { code, out } = await diff('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fresh}\ndata: {a: b}\n');
    assert.equal(code, 1);
    assert.match(out, /\n@@ -0,0 \+1,9 @@\n\+apiVersion: v1\n\+data:\n\+ {2}a: b\n\+kind: ConfigMap\n/);
  });

  it('hides the values of Secrets, but shows which of them change', async () => {
    const { code, out } = await diff(secret('{password: other, user: ann, more: x}'));
    assert.equal(code, 1);
    assert.match(
      out,
      /\n- {2}password: '\*{3} \(before\)'\n\+ {2}more: '\*{3}'\n\+ {2}password: '\*{3} \(after\)'\n {3}user: '\*{3}'\n/,
    );
    assert.doesNotMatch(out, /b3RoZXI|aHVudGVyMg/);
    assert.match((await diff(secret('{password: other}'), '--show-secrets')).out, /\+ {2}password: b3RoZXI=\n/);
  });

  it('compares only the objects with labels', async () => {
    assert.equal((await diff(settings("{a: '9'}"), '-l', 'app=web')).code, 1);
    assert.equal((await diff(settings("{a: '9'}"), '-l', 'app=other')).code, 0);
  });

  it('shows what pruning would remove, and reads folders below a folder', async () => {
    const labelled = (name: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {set: pruned}}\ndata: {a: b}\n`;
    await mkdir(path.join(plane.directory, 'folder', 'below'), { recursive: true });
    await writeFile(path.join(plane.directory, 'folder', 'below', 'stays.yaml'), labelled('stays'));
    assert.equal((await plane.pipe(`${labelled('stays')}---\n${labelled('goes')}`, 'apply', '-f', '-')).code, 0);
    const line = 'diff -f folder -R -l set=pruned';
    assert.deepEqual(await plane.run(line), { code: 0, out: '', err: '' });
    const { code, out } = await plane.run(line, '--prune');
    assert.equal(code, 1);
    assert.match(out, /^diff .*\.goes\n.*\n.*\n@@ -1,\d+ \+0,0 @@\n-apiVersion: v1\n/);
    assert.doesNotMatch(out, /stays|settings|^\+(?!\+\+)/m);
  });

  it('ends with more than 1 if it fails: a conflict, a wrong file, no server', async () => {
    const conflict = await diff(settings("{a: '4'}"), '--field-manager=other');
    assert.deepEqual([conflict.code, conflict.out], [2, '']);
    assert.match(conflict.err, /conflict with "cl"/);
    assert.equal((await diff(settings("{a: '4'}"), '--field-manager=other', '--force-conflicts')).code, 1);
    assert.equal((await diff('kind: ConfigMap')).code, 2);
    assert.equal((await diff(settings('{}'), '--server=https://127.0.0.1:1')).code, 2);
  });

  it('runs the program of the environment on two folders, and ends as it does', async () => {
    const program = path.join(plane.directory, 'compare.sh');
    await writeFile(program, '#!/bin/sh\necho "$1"; cat "$2"/* | grep " a:"; cat "$3"/* | grep " a:"; exit $1\n', {
      mode: 0o755,
    });
    const run = (code: number) => plane.with({ CL_EXTERNAL_DIFF: `${program} ${code}` });
    const text = settings("{a: '5'}");
    assert.deepEqual(await run(1).pipe(text, 'diff', '-f', '-'), { code: 1, out: '1\n  a: "1"\n  a: "5"\n', err: '' });
    assert.equal((await run(0).pipe(text, 'diff', '-f', '-')).code, 0);
    const failed = await run(3).pipe(text, 'diff', '-f', '-');
    assert.equal(failed.code, 3);
    assert.match(failed.err, /ended with code 3/);
  });

  it('finds the shortest differences', () => {
    const lines = (text: string) => text.split('').join('\n');
    assert.deepEqual(unifiedDiff('', ''), []);
    assert.deepEqual(unifiedDiff(lines('abc'), lines('abc')), []);
    assert.deepEqual(unifiedDiff(lines('abcabba'), lines('cbabac')).join(''), '@@ -1,7 +1,6 @@-a-b c+b a b-b a+c');
    assert.equal(
      unifiedDiff(lines('0123456789abcdefx'), lines('01X3456789abcdef')).join('|'),
      '@@ -1,6 +1,6 @@| 0| 1|-2|+X| 3| 4| 5|@@ -14,4 +14,3 @@| d| e| f|-x',
    );
    const long = (start: number) => Array.from({ length: 3000 }, (_, at) => `${start + at}`).join('\n');
    assert.equal(unifiedDiff(long(0), long(10_000)).length, 6001);
  });
});
