import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The machines that a release is pinned for: what `uname` says, and the archive's name. */
const machines = [
  { system: 'Linux', processor: 'x86_64', platform: 'linux-amd64', suffix: 'tar.gz' },
  { system: 'Linux', processor: 'aarch64', platform: 'linux-arm64', suffix: 'tar.gz' },
  { system: 'Darwin', processor: 'x86_64', platform: 'darwin-amd64', suffix: 'zip' },
  { system: 'Darwin', processor: 'arm64', platform: 'darwin-arm64', suffix: 'zip' },
];

describe('the search for etcd on a machine without one', () => {
  let directory: string;
  const at = (...names: string[]): string => path.join(directory, ...names);
  const program = async (name: string, text: string): Promise<void> => {
    await writeFile(at('bin', name), `#!/bin/sh\n${text}\n`);
    await chmod(at('bin', name), 0o755);
  };

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'find-etcd-'));
    await mkdir(at('hack'));
    await mkdir(at('bin'));
    await copyFile('hack/etcd.sh', at('hack/etcd.sh'));
    for (const tool of ['bash', 'chmod', 'cut', 'dirname', 'gzip', 'mkdir', 'mktemp', 'mv', 'rm', 'tar']) {
      await symlink((await run('which', [tool])).stdout.trim(), at('bin', tool));
    }
    await program('uname', '[ "$1" = -s ] && echo "$SYSTEM" || echo "$PROCESSOR"');
    await program('curl', 'while [ "$1" != -o ]; do shift; done; echo "$3" > "$LOG"; cp "$ARCHIVE" "$2"');
    await symlink((await run('which', ['cp'])).stdout.trim(), at('bin/cp'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  /** An archive as a release has it, for a machine, with a program that says what it is. */
  async function archiveOf(platform: string, release: string): Promise<string> {
    const folder = `etcd-${release}-${platform}`;
    await mkdir(at(folder));
    await writeFile(at(folder, 'etcd'), `#!/bin/sh\necho ${platform}\n`);
    // The tar of this machine reads no zip files, which that of macOS does.
    await run('tar', ['-czf', at('archive'), '-C', directory, folder]);
    return at('archive');
  }

  const find = (system: string, processor: string, archive: string) => {
    const env = { PATH: at('bin'), SYSTEM: system, PROCESSOR: processor, ARCHIVE: archive, LOG: at('asked') };
    return run(at('bin/bash'), [at('hack/etcd.sh')], { env });
  };

  for (const { system, processor, platform, suffix } of machines) {
    it(`fetches a pinned release for ${system} on ${processor}, which it checks, and keeps it`, async () => {
      const script = await readFile(at('hack/etcd.sh'), 'utf8');
      const [, release = ''] = /^release=(v\S+)$/m.exec(script) ?? [];
      const [, sum = ''] = new RegExp(`${platform}\\.${suffix} ([0-9a-f]{64}) `).exec(script) ?? [];
      const digest = system === 'Darwin' ? 'shasum' : 'sha256sum';
      await program(digest, `eval "file=\\\${$#}"; [ -s "$file" ] && echo "${sum}  $file"`);
      const { stdout } = await find(system, processor, await archiveOf(platform, release));
      const base = 'https://github.com/etcd-io/etcd/releases/download';
      const asked = await readFile(at('asked'), 'utf8');
      assert.equal(asked, `${base}/${release}/etcd-${release}-${platform}.${suffix}\n`);
      assert.equal((await run(stdout.trim(), [])).stdout, `${platform}\n`);
      await rm(at('archive'));
      assert.equal((await find(system, processor, '/no/such/file')).stdout, stdout);
    });
  }

  it('refuses an archive with another checksum', async () => {
    await program('sha256sum', 'echo "0000  $1"');
    await assert.rejects(find('Linux', 'x86_64', await archiveOf('linux-amd64', 'v3.6.14')), (error) => {
      const { code, stderr } = error as { readonly code?: number; readonly stderr?: string };
      assert.equal(code, 3);
      assert.match(stderr ?? '', /wrong checksum; not used\n.*none found/s);
      return true;
    });
  });

  it('fetches again what is empty, and needs no $HOME where the package is read-only', async () => {
    const script = await readFile(at('hack/etcd.sh'), 'utf8');
    const [, sum = ''] = /linux-amd64\.tar\.gz ([0-9a-f]{64}) /.exec(script) ?? [];
    await program('sha256sum', `echo "${sum}  $1"`);
    const archive = await archiveOf('linux-amd64', /^release=(v\S+)$/m.exec(script)?.[1] ?? '');
    const binary = (await find('Linux', 'x86_64', archive)).stdout.trim();
    await writeFile(binary, '');
    await find('Linux', 'x86_64', archive);
    assert.equal((await run(binary, [])).stdout, 'linux-amd64\n');
    // A file in the place of the folder keeps root from making it, too.
    await rm(at('.cache'), { recursive: true });
    await writeFile(at('.cache'), '');
    await assert.rejects(find('Linux', 'x86_64', '/no/such/file'), /^etcd: none found/m);
  });

  it('asks for no release on a machine that has none', async () => {
    await assert.rejects(find('Linux', 'riscv64', '/no/such/file'), /none found/);
    await assert.rejects(readFile(at('asked')), { code: 'ENOENT' });
  });

  it('pins a release without the defects that the documentation warns of', async () => {
    const [, minor = '', patch] = /^release=v3\.(\d+)\.(\d+)$/m.exec(await readFile('hack/etcd.sh', 'utf8')) ?? [];
    const advice = /^- Versions .* Prefer (.*):/m.exec(await readFile('deploy/README.md', 'utf8'))?.[1] ?? '';
    const [, least] = new RegExp(`3\\.${minor}\\.(\\d+) or newer`).exec(advice) ?? [];
    assert.ok(Number(patch) >= Number(least), advice);
  });
});
