import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDirectory } from '../../../src/files/make-directory.ts';

describe('directories for keys', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'cl-directory-'));
  });
  after(() => rm(root, { recursive: true }));

  it('are made with their parents, for their owner alone, and may be there', async () => {
    const path = join(root, 'a/b/c');
    await makeDirectory(path);
    await makeDirectory(path);
    for (const made of [path, join(root, 'a')]) assert.equal((await stat(made)).mode & 0o777, 0o700);
  });

  it('are made once by many callers', async () => {
    await Promise.all(Array.from({ length: 20 }, () => makeDirectory(join(root, 'many/x/y'))));
    assert.ok(existsSync(join(root, 'many/x/y')));
  });

  it('are refused where a file has the name of one of them', async () => {
    await writeFile(join(root, 'file'), '');
    await assert.rejects(makeDirectory(join(root, 'file')), { code: 'EEXIST' });
    await assert.rejects(makeDirectory(join(root, 'file/below')), { code: 'ENOTDIR' });
  });

  it('are refused at once below /proc, which makes none', async function () {
    if (!existsSync('/proc/self')) this.skip();
    await assert.rejects(makeDirectory('/proc/certificates'), { code: 'ENOENT' });
    await assert.rejects(makeDirectory('/proc/certificates/below'), { code: 'ENOENT' });
  });
});
