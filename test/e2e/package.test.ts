import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The parts of the package's own manifest that matter here. */
interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
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

describe('the package', () => {
  let directory: string;
  let installed: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-package-'));
    // What the tests run is what is packed: a build here would take it away from them.
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', `--pack-destination=${directory}`], {
      cwd: root,
    });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    await writeFile(path.join(directory, 'package.json'), '{"private":true,"type":"module"}');
    installed = path.join(directory, 'node_modules/cl-apiserver');
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', path.join(directory, filename), '--strip-components=1', '-C', installed]);
    await linkDependencies();
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const manifest = async (): Promise<Manifest> =>
    JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as Manifest;

  /** The dependencies that the package names, as npm installed them for this project; it sees no other ones. */
  async function linkDependencies(): Promise<void> {
    for (const name of Object.keys((await manifest()).dependencies)) {
      const link = path.join(directory, 'node_modules', name);
      await mkdir(path.dirname(link), { recursive: true });
      await symlink(path.join(root, 'node_modules', name), link, 'dir');
    }
  }

  it('has few files, and the licences of the libraries that are copied into one', async () => {
    const folder = path.join(installed, 'dist');
    const modules = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.js'));
    assert.deepEqual(
      modules.filter((file) => !file.startsWith('bundle')),
      [],
    );
    assert.ok(modules.length < 330, String(modules.length));
    const maps = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.map'));
    assert.deepEqual(maps, []);
    const licences = await readFile(path.join(folder, 'bundle/bin/cl/LICENSES.txt'), 'utf8');
    for (const library of ['yaml', 'undici', 'pkijs']) assert.match(licences, new RegExp(`^${library}\\n\\n`, 'm'));
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
});
