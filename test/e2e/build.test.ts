import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** In the place of the compiler: copies sources as they are, and fails on one that has the word "wrong". */
const compiler = `#!/usr/bin/env node
const { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const dashboard = process.argv.includes('src/dashboard');
appendFileSync('log', dashboard ? 'dashboard ' : 'compile ');
if (dashboard) process.exit(0);
for (const file of ['src', 'test', 'hack'].flatMap((folder) => readdirSync(folder).map((name) => folder + '/' + name))) {
  if (!file.endsWith('.ts')) continue;
  const text = readFileSync(file, 'utf8').replace("form.ts'", "form.js'");
  if (text.includes('wrong')) process.exit(2);
  if (text.includes('killed')) process.kill(process.pid, 'SIGKILL');
  mkdirSync('.cache/compiled/' + file.split('/')[0], { recursive: true });
  for (const end of ['.js', '.js.map', '.d.ts']) writeFileSync('.cache/compiled/' + file.slice(0, -3) + end, text);
}
writeFileSync('.cache/compiled/package.json', '{"type":"module"}');
`;

const bundler = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { form } from './form.ts';
appendFileSync('log', 'bundle ');
mkdirSync('.build/bundle');
writeFileSync('.build/bundle/all.js', form);
`;

const lock = (version: string): string =>
  JSON.stringify({
    packages: { '': { dependencies: { one: '1' } }, 'node_modules/one': { version, integrity: version } },
  });

describe('a build', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cl-build-'));
    const files: Readonly<Record<string, string>> = {
      'package.json': '{"type":"module","dependencies":{"one":"1"}}',
      'package-lock.json': lock('1.0.0'),
      'tsconfig.json': '{}',
      'src/one.ts': '1',
      'src/page.css': '',
      'src/dashboard/tsconfig.json': '{}',
      'test/one.ts': '1',
      'hack/bundle.ts': bundler,
      'hack/form.ts': "export const form = '1';",
      'hack/other.ts': '1',
      'node_modules/.package-lock.json': lock('1.0.0').replace(/"":[^}]*}},/, ''),
      'node_modules/.bin/tsc': compiler,
    };
    for (const [file, text] of Object.entries(files)) await write(file, text);
    await chmod(path.join(folder, 'node_modules/.bin/tsc'), 0o755);
    for (const name of ['build', 'build-inputs', 'build-lock', 'install-packages']) await copyScript(`hack/${name}.js`);
    for (const name of ['copy-build', 'install-build']) {
      await copyFile(path.join(root, `dist/hack/${name}.js`), path.join(folder, `hack/${name}.ts`));
    }
    assert.deepEqual(await build(), ['compile', 'dashboard', 'bundle']);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function write(file: string, text: string): Promise<void> {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }

  const copyScript = (file: string): Promise<void> => copyFile(path.join(root, file), path.join(folder, file));
  const read = (file: string): Promise<string> => readFile(path.join(folder, file), 'utf8');

  /** Builds, and returns the parts of the work that were done. */
  async function build(): Promise<string[]> {
    await write('log', '');
    await runBuild();
    return (await read('log')).split(' ').slice(0, -1);
  }

  /** Only what this folder has is installed: a try to install would fail. */
  const runBuild = () =>
    run(process.execPath, ['hack/build.js'], { cwd: folder, env: { PATH: path.dirname(process.execPath) } });

  it('does nothing if nothing changed, also for files that were only touched', async () => {
    assert.deepEqual(await build(), []);
    for (const file of ['package-lock.json', 'src/one.ts']) {
      await utimes(path.join(folder, file), new Date(), new Date());
    }
    assert.deepEqual(await build(), []);
  });

  it('does what a changed file is used for', async () => {
    const cases: readonly [file: string, text: string, parts: readonly string[]][] = [
      ['src/one.ts', '2', ['compile', 'dashboard', 'bundle']],
      ['src/page.css', 'p {}', ['bundle']],
      ['test/one.ts', '2', ['compile']],
      ['hack/other.ts', '2', ['compile']],
      ['hack/form.ts', "export const form = '2';", ['compile', 'bundle']],
    ];
    for (const [file, text, parts] of cases) {
      await write(file, text);
      assert.deepEqual(await build(), parts, file);
    }
    assert.deepEqual([await read('dist/src/one.js'), await read('dist/bundle/all.js')], ['2', '2']);
  });

  it('has no file of a source that is gone', async () => {
    await write('src/gone.ts', '1');
    await build();
    await rm(path.join(folder, 'src/gone.ts'));
    assert.deepEqual(await build(), ['compile', 'dashboard', 'bundle']);
    assert.deepEqual((await readdir(path.join(folder, 'dist/src'))).toSorted(), ['one.d.ts', 'one.js', 'one.js.map']);
  });

  it('makes again what was removed or changed in its output, or in what the compiler keeps', async () => {
    await rm(path.join(folder, 'dist/bundle/all.js'));
    await build();
    assert.equal(await read('dist/bundle/all.js'), '2');
    await write('dist/src/one.js', 'another');
    await rm(path.join(folder, '.cache/compiled/src/one.js'));
    await build();
    assert.equal(await read('dist/src/one.js'), '2');
  });

  it('leaves the last build as it is if a source does not compile', async () => {
    await write('src/one.ts', 'wrong');
    await assert.rejects(build());
    assert.equal(await read('dist/src/one.js'), '2');
    await write('src/one.ts', '3');
    await build();
    assert.equal(await read('dist/src/one.js'), '3');
  });

  it('does not trust what a killed compiler has left', async () => {
    await write('src/one.ts', 'killed');
    await assert.rejects(build());
    // The compiler takes the old text for what it has compiled already.
    await write('src/one.ts', '3');
    await write('test/one.ts', '3');
    await write('.cache/compiled/src/mark', '');
    await build();
    await assert.rejects(read('.cache/compiled/src/mark'), { code: 'ENOENT' });
    await write('.cache/compiled/src/mark', '');
    await write('test/one.ts', '4');
    await build();
    assert.equal(await read('.cache/compiled/src/mark'), '');
  });

  it('waits for another one, whose work it does not do again', async () => {
    await write('.cache/build.lock', String(process.pid));
    await write('src/one.ts', '5');
    await write('log', '');
    await Promise.all([runBuild(), runBuild()]);
    assert.equal(await read('log'), 'compile dashboard bundle ');
    assert.deepEqual(await readdir(path.join(folder, '.cache')), ['compiled']);
  });

  it('says why it cannot be made, in one line', async () => {
    await write('src/one.ts', '6');
    await rename(path.join(folder, '.cache'), path.join(folder, 'kept'));
    await write('.cache', '');
    await assert.rejects(runBuild(), (error) => {
      assert.match(
        (error as { stderr?: string }).stderr ?? '',
        /^error: nothing can be built here by this user: .*\n$/,
      );
      return true;
    });
    await rm(path.join(folder, '.cache'));
    await rename(path.join(folder, 'kept'), path.join(folder, '.cache'));
  });

  it('installs packages if the lock file names others than are installed', async () => {
    await write('package-lock.json', lock('2.0.0'));
    const npm = path.join(folder, 'node_modules/.bin/npm');
    await writeFile(npm, `#!/bin/sh\necho "$@" > installed\n`);
    await chmod(npm, 0o755);
    await run(process.execPath, ['hack/install-packages.js'], {
      cwd: folder,
      env: { PATH: `${path.dirname(npm)}:/usr/bin:/bin` },
    });
    assert.match(await read('installed'), /^ci --ignore-scripts /);
  });
});
