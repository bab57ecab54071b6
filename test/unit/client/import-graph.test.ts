import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const root = 'dist/src';
const entry = join(root, 'client/index.js');

/** Folders below the client that are of use to it. Those of a server are not among them. */
const allowedFolders = new Set([
  'async',
  'client',
  'files',
  'identifiers',
  'meta',
  'metrics',
  'outbound',
  'package',
  'status',
]);

/** Follows static imports; those that are loaded on use are left out. */
async function reachable(file: string, found: { files: Set<string>; packages: Set<string> }): Promise<typeof found> {
  if (found.files.has(file)) return found;
  found.files.add(file);
  const imports = (await readFile(file, 'utf8')).matchAll(
    /(?:^|[\n;])(?:import|export)\b[^;'"]*?from ?['"]([^'"]+)['"]/g,
  );
  for (const [, target = ''] of imports) {
    if (target.startsWith('.')) await reachable(join(dirname(file), target), found);
    else if (!target.startsWith('node:')) found.packages.add(target);
  }
  return found;
}

describe('the import of the client', () => {
  it('reaches no code of the server, few modules and two small packages', async () => {
    const { files, packages } = await reachable(entry, { files: new Set(), packages: new Set() });
    const folders = new Set([...files].map((file) => relative(root, file).split('/')[0] ?? ''));
    assert.deepEqual(
      [...folders].filter((folder) => !allowedFolders.has(folder)),
      [],
    );
    assert.deepEqual([...packages].toSorted(), ['fastest-levenshtein', 'lru-cache']);
    assert.ok(files.size < 100, `${files.size} modules`);
  });

  it('evaluates less than 150 KB of code', async () => {
    const { files } = await reachable('dist/bundle/client/index.js', { files: new Set(), packages: new Set() });
    const texts = await Promise.all([...files].map((file) => readFile(file)));
    const bytes = texts.reduce((sum, { length }) => sum + length, 0);
    // None would mean that the imports were not understood.
    assert.ok(bytes > 50_000 && bytes < 150_000, `${bytes} bytes`);
  });

  it('takes at most 15 MB', async () => {
    const code = `const before = process.memoryUsage().rss;
      await import('./dist/bundle/client/index.js');
      console.log(process.memoryUsage().rss - before);`;
    const measure = async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
      return Number(stdout);
    };
    // The memory of a process varies by some MB.
    const measured = [await measure(), await measure(), await measure()];
    assert.ok(Math.min(...measured) < 15e6, `${measured.join(', ')} bytes`);
  });
});

describe('the start of cl', () => {
  it('loads the table of commands, and no program of one', async () => {
    const { files, packages } = await reachable('dist/src/bin/cl.js', { files: new Set(), packages: new Set() });
    const names = [...files].map((file) => relative(root, file));
    const ofEtcd = names.filter((name) => name.startsWith('etcd/'));
    assert.deepEqual(ofEtcd, ['etcd/without-credentials.js'], 'it hides passwords in errors of flags');
    const folders = new Set(names.map((name) => name.split('/')[0] ?? ''));
    assert.deepEqual([...folders].toSorted(), [
      'bin',
      'cli',
      'client',
      'etcd',
      'flags',
      'identifiers',
      'meta',
      'package',
      'status',
    ]);
    assert.deepEqual([...packages], ['fastest-levenshtein']);
    assert.ok(![...files].some((file) => file.endsWith('/cli/connect.js')));
  });
});
