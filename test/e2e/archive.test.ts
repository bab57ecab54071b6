import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-ports.ts';

const run = promisify(execFile);

describe('the archive without npm', () => {
  let directory: string;
  let archive: string;
  let programs: string;
  /** The environment of a user who has Node, and nothing of this project. */
  let env: NodeJS.ProcessEnv;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-archive-'));
    archive = (await run(process.execPath, ['dist/hack/release/make-archive.js', directory])).stdout.trim();
    await run('tar', ['-xzf', archive, '-C', directory]);
    programs = path.join(directory, path.basename(archive, '.tar.gz'), 'bin');
    env = { PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: directory };
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it('has the three programs and the licences, and no files for compilers', async () => {
    assert.deepEqual(await readdir(programs), ['cl', 'cl-apiserver', 'cl-controller-manager']);
    const files = await readdir(path.join(programs, '../lib'), { recursive: true });
    assert.ok(files.includes('LICENSE') && files.includes('node_modules/koa/LICENSE'));
    assert.deepEqual(
      files.filter((file) => /\.(?:ts|map)$/.test(file)),
      [],
    );
  });

  it('runs a control plane in a folder without packages, through a link', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string };
    await mkdir(path.join(directory, 'project'));
    await symlink(path.join('..', path.basename(path.dirname(programs)), 'bin/cl'), path.join(directory, 'project/cl'));
    const options = { cwd: path.join(directory, 'project'), env };
    assert.equal((await run('./cl', ['version', '--client'], options)).stdout, `client ${version}\n`);
    await symlink(programs, path.join(directory, 'linked programs'));
    const elsewhere = { cwd: directory, env: { PATH: env['PATH'], CDPATH: path.dirname(programs) } };
    assert.equal((await run('linked programs/cl', ['version', '--client'], elsewhere)).stdout, `client ${version}\n`);
    await run('./cl', ['up', '--detach', '--store=memory', `--secure-port=${await freePort()}`], options);
    try {
      assert.match((await run('./cl', ['get', 'namespaces'], options)).stdout, /^default +Active/m);
    } finally {
      await run('./cl', ['up', 'down'], options);
    }
  });

  it('says what it needs where there is no Node', async () => {
    const bin = path.join(directory, 'empty');
    await mkdir(bin);
    await assert.rejects(run(path.join(programs, 'cl'), ['version'], { env: { PATH: bin } }), {
      code: 127,
      stderr: 'cl: no node on the PATH: install Node 20.19 or newer, or take an archive that has one\n',
    });
  });

  it('has the same bytes again, and with a Node inside uses that', async () => {
    const again = path.join(directory, 'again');
    const node = path.join(directory, 'own-node');
    await writeFile(node, '#!/bin/sh\necho "own $1"\n');
    await chmod(node, 0o755);
    const make = (args: readonly string[]) =>
      run(process.execPath, ['dist/hack/release/make-archive.js', again, ...args]);
    const [plain, own] = [await make([]), await make(['linux-x64', node])].map(({ stdout }) => stdout.trim());
    assert.ok((await readFile(plain ?? '')).equals(await readFile(archive)));
    assert.match(own ?? '', /-linux-x64\.tar\.gz$/);
    await run('tar', ['-xzf', own ?? '', '-C', again]);
    const unpacked = (await readdir(again)).find((name) => !name.endsWith('.gz')) ?? '';
    const { stdout } = await run(path.join(again, unpacked, 'bin/cl'), ['version'], { env: { PATH: '' } });
    assert.match(stdout, /^own .*\/lib\/dist\/bundle\/bin\/cl\.js\n$/);
  });
});
