import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../until.ts';
import { type ClServer, startCl, startClServer } from './cl-runner.ts';

const objects = ['a', 'b', 'c']
  .map(
    (name, index) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, labels: {app: web, rank: "${3 - index}"}}\ndata: {rank: "${3 - index}"}\n`,
  )
  .join('---\n');

describe('cl get', () => {
  let cl: ClServer;
  before(async () => {
    cl = await startClServer();
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n';
    const { code, err } = await cl.pipe(`${objects}---\n${secret}`, 'create', '-f', '-');
    assert.equal(code, 0, err);
  });
  after(() => cl[Symbol.asyncDispose]());

  const shown = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await cl.run('get', ...args);
    assert.deepEqual([code, err], [0, '']);
    return out.replaceAll(/\b\d+s( +|$)/gm, (age) => (age.endsWith(' ') ? 'AGE   ' : 'AGE'));
  };

  it('shows types, names, files and categories as tables', async () => {
    assert.equal(await shown('cm', 'a', 'b'), 'NAME   DATA   AGE\na      1      AGE\nb      1      AGE\n');
    const both =
      'NAME          DATA   AGE\nconfigmap/a   1      AGE\n\nNAME       TYPE     DATA   AGE\nsecret/a   Opaque   0      AGE\n';
    assert.equal(await shown('cm,secret', 'a'), both);
    await writeFile(path.join(cl.directory, 'both.yaml'), objects);
    assert.match(await shown('-f', 'both.yaml'), /^NAME .*\na .*\nb .*\nc .*\n$/);
    await mkdir(path.join(cl.directory, 'folder/below'), { recursive: true });
    await writeFile(path.join(cl.directory, 'folder/below/one.yaml'), objects.split('---')[0] ?? '');
    assert.equal(await shown('-f', 'folder', '-R', '-o', 'name'), 'configmap/a\n');
    assert.match(await shown('all', '-A', '-o', 'name'), /^service\/cluster$/m);
  });

  it('adds and leaves out columns, and sorts rows', async () => {
    assert.equal(
      await shown('cm', '-l', 'app=web', '-L', 'rank', '--show-labels', '--sort-by=.data.rank', '--show-kind'),
      [
        'NAME          DATA   AGE   RANK   LABELS',
        'configmap/c   1      AGE   1      app=web,rank=1',
        'configmap/b   1      AGE   2      app=web,rank=2',
        'configmap/a   1      AGE   3      app=web,rank=3',
        '',
      ].join('\n'),
    );
    assert.equal(await shown('cm', '--field-selector=metadata.name=a', '--no-headers'), 'a     1     AGE\n');
    assert.match(
      await shown('cm', '-A', '--chunk-size=1', '-l', 'app'),
      /^NAMESPACE .*\ndefault +a .*\ndefault +b .*\ndefault +c .*\n$/,
    );
  });

  it('prints objects in all formats, alone or as a List', async () => {
    assert.equal(await shown('cm', '-l', 'app', '-o', 'name'), 'configmap/a\nconfigmap/b\nconfigmap/c\n');
    assert.match(
      await shown('cm', 'a', '-o', 'yaml'),
      /^apiVersion: v1\ndata:\n {2}rank: "3"\nkind: ConfigMap\nmetadata:\n(?!.*managedFields)/,
    );
    assert.match(await shown('cm', 'a', '-o', 'json', '--show-managed-fields'), /\n {8}"managedFields": \[/);
    assert.match(await shown('cm', '-l', 'app', '-o', 'yaml'), /^apiVersion: v1\nitems:\n- apiVersion: v1\n/);
    assert.match(
      await shown('cm', 'a', '-o', 'kyaml'),
      /^---\n\{\n {2}apiVersion: "v1",\n {2}data: \{\n {4}rank: "3",\n/,
    );
    assert.equal(await shown('cm', '-l', 'app', '-o', 'jsonpath={.items[*].data.rank}'), '3 2 1');
    assert.equal(
      await shown('cm', '-l', 'app', '-o', 'jsonpath-as-json={.items[*].data.rank}'),
      '[\n    "3",\n    "2",\n    "1"\n]\n',
    );
    assert.equal(await shown('cm', 'a', '-o', 'go-template={{.data.rank}}'), '3');
    const columns = 'custom-columns=N:.metadata.name,X:.data.rank,Z:.nope';
    assert.equal(await shown('cm', '-l', 'rank=1', '-o', columns), 'N     X     Z\nc     1     <none>\n');
  });

  it('reads templates and columns from files', async () => {
    await writeFile(path.join(cl.directory, 'path.txt'), '{.data.rank}');
    await writeFile(path.join(cl.directory, 'go.txt'), '{{.metadata.name}}');
    await writeFile(path.join(cl.directory, 'columns.txt'), 'NAME N\nmetadata.name data.rank\n');
    assert.equal(await shown('cm', 'a', '-o', 'jsonpath-file=path.txt'), '3');
    assert.equal(await shown('cm', 'a', '-o', 'go-template-file', '--template=go.txt'), 'a');
    assert.equal(await shown('cm', 'a', '-o', 'custom-columns-file=columns.txt'), 'NAME   N\na      3\n');
  });

  it('shows what there is, and reports the rest', async () => {
    const some = await cl.run('get', 'cm', 'a', 'nope');
    assert.deepEqual([some.code, some.err], [1, 'Error from server (NotFound): configmaps "nope" not found\n']);
    assert.match(some.out, /^NAME .*\na /);
    assert.deepEqual(await cl.run('get', 'cm', 'nope', '--ignore-not-found'), { code: 0, out: '', err: '' });
    const none = await cl.run('get', 'pods');
    assert.deepEqual(none, { code: 0, out: '', err: 'No resources found in default namespace.\n' });
    assert.equal((await cl.run('get', 'pods', '-A')).err, 'No resources found\n');
    assert.equal((await cl.run('get', 'pods,nodes')).err, 'No resources found\n');
  });

  it('prints the answer to any GET', async () => {
    assert.equal(await shown('--raw', '/readyz'), 'ok');
    const none = await cl.run('get', '--raw', '/nope');
    const notFound = 'Error from server (NotFound): the server could not find the requested resource\n';
    assert.deepEqual([none.code, none.out, none.err], [1, '', notFound]);
    assert.match((await cl.run('get', '--raw', 'readyz')).err, /the path of --raw begins with \//);
  });

  /** Watches in a terminal or a pipe; returns the output after `change`. */
  async function watched(
    isTerminal: boolean,
    args: readonly string[],
    change: () => Promise<unknown>,
  ): Promise<string> {
    const stdoutIs = isTerminal ? { isTTY: true, columns: 20, rows: 10 } : {};
    const started = startCl(['get', ...args], { directory: cl.directory, stdoutIs });
    await started.until(/\n/);
    const before = started.out().length;
    await change();
    await until('the change', () => started.out().length > before);
    assert.equal(await started.interrupt(), 130);
    const out = started.out();
    return out.replaceAll(/\b\d+s\b/g, 'AGE');
  }

  const grow = (name: string, count: number) =>
    cl.pipe(
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${Array.from({ length: count }, (_, index) => `k${index}: x`).join(', ')}}\n`,
      'apply',
      '-f',
      '-',
    );

  it('adds a line for each change in a pipe, and replaces the row in a terminal', async () => {
    await grow('w', 1);
    const lines = await watched(false, ['cm', 'w', '-w'], () => grow('w', 2));
    assert.equal(lines, 'NAME   DATA   AGE\nw      1      AGE\nw      2      AGE\n');
    const events = await watched(false, ['cm', 'w', '-w', '--output-watch-events'], () => grow('w', 3));
    assert.match(events, /^EVENT {3}NAME .*\nADDED {3}w .*\nMODIFIED {3}w /);
    const screen = await watched(true, ['cm', 'w', '-w'], () => grow('w', 4));
    assert.equal(
      screen,
      'NAME   DATA   AGE\nw      3      AGE\n\u001b[2A\r\u001b[JNAME   DATA   AGE\nw      4      AGE\n',
    );
  });
});
