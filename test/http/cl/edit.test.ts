import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { type ClServer, startClServer } from './cl-runner.ts';
import type { Outcome } from './cl-runner.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('cl in an editor', () => {
  let world: ClServer;
  let temporary: string;
  before(async () => {
    world = await startClServer();
    temporary = path.join(world.directory, 'tmp');
    await mkdir(temporary);
  });
  after(() => world[Symbol.asyncDispose]());

  beforeEach(async () => {
    for (const name of ['a', 'b']) {
      await request(world.server, 'DELETE', `${configMaps}/${name}`);
      await request(world.server, 'POST', configMaps, { metadata: { name }, data: { colour: 'blue' } });
    }
  });
  afterEach(async () => {
    for (const name of await readdir(temporary)) await rm(path.join(temporary, name));
  });

  /** Runs a line whose editor is a line of a shell, with the file after it. */
  const edit = (editor: string, ...args: readonly string[]): Promise<Outcome> =>
    world.with({ CL_EDITOR: editor, TMPDIR: temporary }).run(...args);
  /** Writes a program, and returns the line that starts it. */
  const program = async (name: string, text: string): Promise<string> => {
    const file = path.join(world.directory, name);
    await writeFile(file, `#!/bin/sh\n${text}\n`);
    await chmod(file, 0o700);
    return file;
  };
  const get = async (at: string): Promise<JsonObject> => (await request(world.server, 'GET', at)).body as JsonObject;
  const dataOf = async (name: string) => objectAt(await get(`${configMaps}/${name}`), 'data');
  const red = "sed -i 's/: blue/: red/'";

  describe('edit', () => {
    it('sends what was changed, and leaves no file', async () => {
      assert.deepEqual(await edit(red, 'edit', 'configmap', 'a'), { code: 0, out: 'configmap/a edited\n', err: '' });
      assert.equal((await dataOf('a')).colour, 'red');
      assert.deepEqual(await readdir(temporary), []);
      const entries = objectAt(await get(`${configMaps}/a`), 'metadata').managedFields as JsonObject[];
      assert.ok(entries.some(({ manager }) => manager === 'cl-edit'));
    });

    it('shows a private file with comments on top', async () => {
      const copy = path.join(world.directory, 'copy');
      await edit(`stat -c %a "$1" > ${copy}.mode; cat > ${copy} <`, 'edit', 'configmap/a');
      assert.equal(await readFile(`${copy}.mode`, 'utf8'), '600\n');
      const text = await readFile(copy, 'utf8');
      assert.match(text, /^# [A-Z][^\n]*\n(?:#[^\n]*\n)+apiVersion: v1\ndata:\n {2}colour: blue\nkind: ConfigMap\n/);
      assert.doesNotMatch(text, /managedFields/);
    });

    it('sends nothing that was not changed', async () => {
      const before = await get(`${configMaps}/a`);
      const same = { code: 0, out: '', err: 'Edit cancelled, no changes made.\n' };
      assert.deepEqual(await edit('true', 'edit', 'configmap', 'a'), same);
      assert.deepEqual(await edit('sed -i \'s/blue/"blue"/\'', 'edit', 'configmap', 'a'), same);
      const empty = { code: 0, out: '', err: 'Edit cancelled, saved file was empty.\n' };
      assert.deepEqual(await edit("sed -i '/^[^#]/d'", 'edit', 'configmap', 'a'), empty);
      assert.deepEqual(await get(`${configMaps}/a`), before);
    });

    it('edits several objects in one file, all of a type or those of files', async () => {
      const second = `sed -i '0,/: blue/b; s/: blue/: red/'`;
      const line = await edit(second, 'edit', 'configmaps/a', 'configmaps/b');
      assert.deepEqual([line.code, line.err], [0, '']);
      assert.equal(line.out, 'configmap/a skipped\nconfigmap/b edited\n');
      await edit("sed -i 's/: red/: green/'", 'edit', 'configmap');
      assert.equal((await dataOf('b')).colour, 'green');
      await writeFile(path.join(world.directory, 'a.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
      assert.equal((await edit(red, 'edit', '-f', 'a.yaml')).out, 'configmap/a edited\n');
      assert.equal((await edit('true', 'edit', 'limitranges')).err, 'error: edit cancelled, no objects found\n');
    });

    it('opens again with the reason of a refusal on top, until the file is accepted', async () => {
      const seen = path.join(world.directory, 'seen');
      const refused = await program(
        'key',
        `if grep -q 'is invalid' "$1"; then cp "$1" ${seen}; sed -i 's#bad/key#good#' "$1"; else sed -i 's#colour: #bad/key: #' "$1"; fi`,
      );
      const line = await edit(refused, 'edit', 'configmap', 'a');
      assert.deepEqual([line.code, line.out], [0, 'configmap/a edited\n'], line.err);
      assert.match(line.err, /^error: ConfigMap "a" is invalid: data\[bad\/key\]: [^\n]+\n$/);
      assert.match(await readFile(seen, 'utf8'), /^# ConfigMap "a" is invalid\n# \* data\[bad\/key\]: [^\n]+$/m);
      assert.equal((await dataOf('a')).good, 'blue');
    });

    it('keeps a text that is refused twice, and says where', async () => {
      const { code, out, err } = await edit("sed -i 's#colour: #bad/key: #'", 'edit', 'configmap', 'a');
      assert.deepEqual([code, out], [1, '']);
      const [file = ''] = await readdir(temporary);
      const where = path.join(temporary, file);
      assert.match(err, new RegExp(`^A copy of your changes has been stored to "${where}"$`, 'm'));
      assert.match(err, /^error: Edit cancelled, no valid changes were saved\.$/m);
      assert.match(await readFile(where, 'utf8'), /bad\/key: blue/);
      assert.equal((await stat(where)).mode & 0o777, 0o600);
    });

    it('shows a syntax error and a change of the name in the file', async () => {
      assert.match((await edit("sed -i 's/^data:$/data: [/'", 'edit', 'configmap', 'a')).err, /had a syntax error: /);
      const renamed = await edit("sed -i 's/name: a/name: c/'", 'edit', 'configmap', 'a');
      assert.match(renamed.err, /apiVersion, kind, name and namespace of ConfigMap "a" cannot be changed/);
    });

    it('sends only the rest of what was accepted in part', async () => {
      const editor = await program(
        'partly',
        `if grep -q 'is invalid' "$1"; then sed -i 's#bad/key#good#; s/: blue/: green/' "$1"; else sed -i '0,/: blue/s//: red/; $!b' "$1"; sed -i 's#colour: blue#bad/key: blue#' "$1"; fi`,
      );
      const line = await edit(editor, 'edit', 'configmaps/a', 'configmaps/b', '--output-patch');
      assert.equal(line.code, 0, line.err);
      assert.match(
        line.out,
        /^Patch: \{"data":\{"colour":"red"\}\}\nconfigmap\/a edited\nPatch: [^]*configmap\/b edited\n$/,
      );
      assert.equal(line.out.match(/configmap\/a/g)?.length, 1);
      assert.deepEqual([await dataOf('a'), await dataOf('b')], [{ colour: 'red' }, { good: 'green' }]);
    });

    it('joins its changes with those of others, and keeps what meets one', async () => {
      const waiting = await program(
        'wait',
        `touch ${temporary}/../open; while [ -e ${temporary}/../open ]; do sleep 0.02; done; ${red} "$1"`,
      );
      const open = path.join(world.directory, 'open');
      const whileOpen = async (act: () => Promise<unknown>, ...args: readonly string[]): Promise<Outcome> => {
        const running = edit(waiting, ...args);
        await until('the editor is open', () =>
          stat(open).then(
            () => true,
            () => false,
          ),
        );
        await act();
        await rm(open);
        return running;
      };
      const merge = { 'content-type': 'application/merge-patch+json' };
      const patch = (at: string, body: object) => request(world.server, 'PATCH', at, body, merge);
      const joined = await whileOpen(
        () => patch(`${configMaps}/a`, { data: { other: 'x' } }),
        'edit',
        'configmap',
        'a',
      );
      assert.equal(joined.code, 0, joined.err);
      assert.deepEqual(await dataOf('a'), { colour: 'red', other: 'x' });

      const pods = '/api/v1/namespaces/default/pods';
      const spec = { containers: [{ name: 'c', image: 'blue' }] };
      await request(world.server, 'POST', pods, { metadata: { name: 'joined' }, spec });
      const annotate = () => patch(`${pods}/joined`, { metadata: { annotations: { seen: 'x' } } });
      const list = await whileOpen(annotate, 'edit', 'pod', 'joined');
      assert.equal(list.code, 0, list.err);
      assert.match(JSON.stringify(await get(`${pods}/joined`)), /"seen":"x".*"image":"red"/);
      const gone = await whileOpen(() => request(world.server, 'DELETE', `${configMaps}/b`), 'edit', 'configmap', 'b');
      assert.deepEqual([gone.code, /NotFound/.test(gone.err)], [1, true], gone.err);
    });

    it('does not overwrite a list that another client changed', async () => {
      const pods = '/api/v1/namespaces/default/pods';
      const spec = { containers: [{ name: 'c', image: 'one' }] };
      await request(world.server, 'POST', pods, { metadata: { name: 'p' }, spec });
      const editor = await program(
        'image',
        `while [ ! -e ${world.directory}/go ]; do sleep 0.02; done; sed -i 's/image: one/image: two/' "$1"`,
      );
      const running = edit(editor, 'edit', 'pod', 'p');
      await until('the editor is open', async () => (await readdir(temporary)).length > 0);
      const operation = [{ op: 'replace', path: '/spec/containers/0/image', value: 'three' }];
      const json = { 'content-type': 'application/json-patch+json' };
      await request(world.server, 'PATCH', `${pods}/p`, operation, json);
      await writeFile(path.join(world.directory, 'go'), '');
      const { code, err } = await running;
      assert.deepEqual(
        [code, /Pod "p" was changed by another client meanwhile: spec\.containers/.test(err)],
        [1, true],
        err,
      );
      assert.match(err, /A copy of your changes/);
    });

    it('takes formats, sub-resources and other flags', async () => {
      const json = await edit(`sed -i 's/"blue"/"red"/'`, 'edit', 'configmap', 'a', '-o', 'json', '--output-patch');
      assert.match(json.out, /^Patch: \{"data":\{"colour":"red"\}\}\n\{\n/);
      const kyaml = await edit(`sed -i 's/"red"/"pink"/'`, 'edit', 'configmap', 'a', '-o', 'kyaml');
      assert.deepEqual([kyaml.code, (await dataOf('a')).colour], [0, 'pink'], kyaml.err);
      const windows = await edit(
        `grep -q "$(printf '\\r')" "$1" && ${red}`,
        'edit',
        'configmap',
        'b',
        '--windows-line-endings',
      );
      assert.deepEqual([windows.code, (await dataOf('b')).colour], [0, 'red'], windows.err);
      await world.run('create', 'deployment', 'web', '--image=i');
      const scale = await edit("sed -i 's/replicas: 1/replicas: 2/'", 'edit', 'deployment/web', '--subresource=scale');
      assert.equal(scale.code, 0, scale.err);
      assert.equal(objectAt(await get('/apis/apps/v1/namespaces/default/deployments/web'), 'spec').replicas, 2);
      assert.match(
        (await edit(red, 'edit', 'configmap', 'a', '-o', 'name')).err,
        /allowed formats are: json,kyaml,yaml/,
      );
    });

    it('reports an editor that fails or is not there', async () => {
      assert.match((await edit('false', 'edit', 'configmap', 'a')).err, /problem with the editor "false"/);
      assert.match((await edit('/no/editor', 'edit', 'configmap', 'a')).err, /unable to launch the editor/);
      assert.deepEqual(await readdir(temporary), []);
    });
  });

  describe('create --edit', () => {
    it('creates what is saved', async () => {
      const file = path.join(world.directory, 'new.yaml');
      await writeFile(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: new}\ndata: {colour: blue}\n');
      const line = await edit(red, 'create', '-f', 'new.yaml', '--edit');
      assert.deepEqual(line, { code: 0, out: 'configmap/new created\n', err: '' });
      assert.equal((await dataOf('new')).colour, 'red');
      const again = await edit("sed -i 's/: blue/: pink/'", 'create', '-f', 'new.yaml', '--edit');
      assert.deepEqual([again.code, /already exists/.test(again.err)], [1, true], again.err);
    });
  });

  describe('apply edit-last-applied', () => {
    it('changes the record of a client, and applies that of the server', async () => {
      const file = path.join(world.directory, 'c.yaml');
      await writeFile(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {colour: blue}\n');
      await world.run('apply', '-f', 'c.yaml');
      const server = await edit(red, 'apply', 'edit-last-applied', 'configmap/c');
      assert.deepEqual(server, { code: 0, out: 'configmap/c edited\n', err: '' });
      assert.equal((await dataOf('c')).colour, 'red');
      await world.run('apply', 'set-last-applied', '-f', 'c.yaml', '--create-annotation');
      const record = await edit("sed -i 's/: blue/: green/'", 'apply', 'edit-last-applied', '-f', 'c.yaml');
      assert.deepEqual(record, { code: 0, out: 'configmap/c edited\n', err: '' });
      assert.equal((await dataOf('c')).colour, 'red');
      assert.match((await world.run('apply', 'view-last-applied', 'configmap/c')).out, /colour: green/);
      assert.match((await edit(red, 'apply', 'edit-last-applied', 'configmap/a')).err, /no last-applied/);
    });
  });
});
