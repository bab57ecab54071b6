import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

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
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-package-'));
    // What the tests run is what is packed: a build here would take it away from them.
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', `--pack-destination=${directory}`], {
      cwd: root,
    });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    await writeFile(path.join(directory, 'package.json'), '{"private":true,"type":"module"}');
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', ...flags, `./${filename}`], { cwd: directory });
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const bin = (name: string): string => path.join(directory, 'node_modules/.bin', name);

  it('has few files, and the licences of the libraries that are copied into one', async () => {
    const folder = path.join(directory, 'node_modules/cl-apiserver/dist');
    const modules = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.js'));
    assert.deepEqual(
      modules.filter((file) => !file.startsWith('bundle')),
      [],
    );
    assert.ok(modules.length < 300, String(modules.length));
    const licences = await readFile(path.join(folder, 'bundle/bin/cl/LICENSES.txt'), 'utf8');
    for (const library of ['yaml', 'undici', '@grpc/grpc-js'])
      assert.match(licences, new RegExp(`^${library}\\n\\n`, 'm'));
  });

  it('runs its programs where it was installed', async () => {
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
    for (const name of ['cl-apiserver', 'cl-controller-manager', 'cl']) {
      const { stdout } = await run(bin(name), ['--version'], { cwd: directory });
      assert.match(stdout, new RegExp(`(^| )${version.replaceAll('.', '\\.')}\\n`), name);
    }
  });

  it('gives its published parts to programs, and nothing else', async () => {
    await writeFile(path.join(directory, 'program.js'), program);
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: directory });
    assert.equal(stdout, 'function made\n');
    await writeFile(path.join(directory, 'inner.js'), "await import('cl-apiserver/dist/src/server/index.js');");
    await assert.rejects(run(process.execPath, ['inner.js'], { cwd: directory }), /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });
});
