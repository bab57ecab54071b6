import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unpackPackage } from './example-projects.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The parts of the package's own manifest that matter here. */
interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly main: string;
  readonly types: string;
  readonly typesVersions: { readonly '*': Readonly<Record<string, readonly [string]>> };
  readonly exports: Readonly<
    Record<string, { readonly types?: { readonly default: string }; readonly require?: string } | undefined>
  >;
}

/** What somebody who installs the package would write first. */
const program = `
import { createServer } from 'cl-apiserver';
import { createClient } from 'cl-apiserver/client';
import { startServer } from 'cl-apiserver/testing';

const server = await startServer();
const client = createClient({ server: server.url, ca: server.ca, token: server.token, namespace: 'default' });
const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces', namespaced: false });
await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made' } });
const { metadata } = await namespaces.get('made');
console.log(typeof createServer, metadata.name);
await client.close();
await server.stop();
`;

/** The same in CommonJS, where each part is the one that `import` gives too. */
const required = `
const parts = ['cl-apiserver', 'cl-apiserver/client', 'cl-apiserver/testing'];
Promise.all(parts.map(async (part) => {
  const module = require(part);
  const isSame = (await import(part).then((imported) => Object.keys(imported).every((key) => imported[key] === module[key])));
  return [isSame, Object.keys(module).length > 0];
})).then((all) => console.log(JSON.stringify(all)));
`;

/** The types that each part has: values, classes, options and groups of kinds. */
const typed = `
import { createServer, MemoryStore, type ServerOptions } from 'cl-apiserver';
import { createClient, StatusError, type corev1 } from 'cl-apiserver/client';
import { startServer, type TestServerOptions } from 'cl-apiserver/testing';

export async function main(options: ServerOptions, test: TestServerOptions): Promise<corev1.Pod> {
  await createServer({ ...options, store: { kind: 'memory' } });
  const server = await startServer(test);
  const url: string = server.url;
  // @ts-expect-error: it is a string
  const port: number = server.url;
  const error: StatusError = new StatusError({ reason: 'NotFound', message: url });
  console.log(createClient(server.connection), new MemoryStore(), error, port);
  return { metadata: { name: 'web' } };
}
`;

/** Ways of the compiler to find a package, with the modules that they are made for. */
const resolutions = { node16: 'node16', nodenext: 'nodenext', bundler: 'preserve' } as const;

describe('the package', () => {
  let directory: string;
  let installed: string;
  let packed: Awaited<ReturnType<typeof unpackPackage>>;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-package-'));
    packed = await unpackPackage(directory);
    await writeFile(path.join(directory, 'package.json'), '{"private":true,"type":"module"}');
    installed = path.join(directory, 'node_modules/cl-apiserver');
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const manifest = async (): Promise<Manifest> =>
    JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as Manifest;

  it('has few files: programs, libraries, their types, and what they need', () => {
    const files = packed.files.map((file) => file.path);
    const others = files.filter((file) => !/^dist\/bundle\/(?!.*\.map$)/.test(file));
    assert.deepEqual(others.toSorted(), [
      'LICENSE',
      'README.md',
      'hack/etcd.sh',
      'package.json',
      'proto/storage/v1/encrypted_object.proto',
      'proto/storage/v1/object_store.proto',
    ]);
    const isType = (file: string): boolean => file.startsWith('dist/bundle/types/');
    assert.ok(files.filter(isType).length < 240, `${files.filter(isType).length} files of types`);
    assert.ok(files.length < 640, `${files.length} files`);
    assert.ok(
      packed.size < 3.2e6 && packed.unpackedSize < 12e6,
      `${packed.size} bytes, ${packed.unpackedSize} unpacked`,
    );
  });

  it('has the licences of the libraries that are copied into one of its files', async () => {
    const licences = await readFile(path.join(installed, 'dist/bundle/bin/cl/LICENSES.txt'), 'utf8');
    for (const library of ['yaml', 'undici', 'pkijs']) assert.match(licences, new RegExp(`^${library}\\n\\n`, 'm'));
  });

  it('has only packages, also for its build, that allow the oldest Node that it allows itself', async () => {
    const folder = path.join(directory, 'lock');
    await mkdir(folder);
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(path.join(root, name), path.join(folder, name));
    const { stdout, stderr } = await run('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], { cwd: folder });
    assert.match(stdout, /^add /m);
    assert.doesNotMatch(stderr, /EBADENGINE/);
  });

  it('has no fault that publint knows', async () => {
    const { stdout } = await run(path.join(root, 'node_modules/.bin/publint'), [
      'run',
      installed,
      '--strict',
      '--pack=false',
    ]);
    assert.match(stdout, /All good!/);
  });

  it('runs its programs where it was installed', async () => {
    const { version, bin } = await manifest();
    assert.deepEqual(Object.keys(bin).toSorted(), ['cl', 'cl-apiserver', 'cl-controller-manager']);
    for (const [name, file] of Object.entries(bin)) {
      const { stdout } = await run(path.join(installed, file), ['--version'], { cwd: directory });
      assert.match(stdout, new RegExp(`(^| )${version.replaceAll('.', '\\.')}\\n`), name);
    }
    // As npx does, which looks for the program with the package's name.
    const command = path.join(installed, bin['cl-apiserver'] ?? '');
    const { stdout } = await run(command, ['version', '--client'], { cwd: directory });
    assert.match(stdout, /^client /);
  });

  it('gives its published parts to programs, and nothing else', async () => {
    await writeFile(path.join(directory, 'program.js'), program);
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: directory });
    assert.equal(stdout, 'function made\n');
    await writeFile(path.join(directory, 'inner.js'), "await import('cl-apiserver/dist/src/server/index.js');");
    await assert.rejects(run(process.execPath, ['inner.js'], { cwd: directory }), /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });

  it('gives CommonJS the same modules, without a warning', async () => {
    await writeFile(path.join(directory, 'required.cjs'), required);
    const { stdout, stderr } = await run(process.execPath, ['required.cjs'], { cwd: directory });
    assert.equal(stderr, '');
    assert.deepEqual(JSON.parse(stdout), [
      [true, true],
      [true, true],
      [true, true],
    ]);
  });

  it('has types for CommonJS and ES modules, however the compiler finds packages', async () => {
    for (const file of ['typed.cts', 'typed.mts']) await writeFile(path.join(directory, file), typed);
    await symlink(path.join(root, 'node_modules/@types'), path.join(directory, 'node_modules/@types'), 'dir');
    const compile = async (resolution: keyof typeof resolutions): Promise<void> => {
      const options = ['--moduleResolution', resolution, '--module', resolutions[resolution], '--types', 'node'];
      // The files of types are checked too, as in a project without this option.
      const strict = ['--noEmit', '--strict', '--skipLibCheck', resolution === 'node16' ? 'false' : 'true'];
      const libraries = ['--target', 'es2022', '--lib', 'es2023,esnext.disposable'];
      const args = [...options, ...strict, ...libraries, 'typed.cts', 'typed.mts'];
      await run(path.join(root, 'node_modules/.bin/tsc'), args, { cwd: directory }).catch((error: { stdout: string }) =>
        assert.fail(`${resolution}: ${error.stdout}`),
      );
    };
    for (const resolution of Object.keys(resolutions)) await compile(resolution as keyof typeof resolutions);
  });

  it('names its files to tools that do not read exports', async () => {
    const { main, types, typesVersions, exports } = await manifest();
    assert.deepEqual([main, types], [exports['.']?.require, exports['.']?.types?.default]);
    for (const [entry, [file]] of Object.entries(typesVersions['*'])) {
      assert.equal(file, exports[`./${entry}`]?.types?.default);
    }
    assert.deepEqual(Object.keys(typesVersions['*']), ['client', 'testing']);
  });
});
