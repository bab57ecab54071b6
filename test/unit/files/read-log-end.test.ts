import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readLogEnd } from '../../../src/files/read-log-end.ts';

describe('the end of a log', () => {
  it('is short in a log of gigabytes, and empty for one that is gone', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'cl-log-end-'));
    try {
      const file = path.join(directory, 'log');
      assert.equal(readLogEnd(file, 0), '');
      assert.equal(readLogEnd(directory, 0), '');
      await writeFile(file, 'earlier\nnow\n');
      assert.equal(readLogEnd(file, 'earlier\n'.length), 'now\n');
      assert.equal(readLogEnd(file, 1000), 'earlier\nnow\n');
      // A hole, which takes no room on the disk.
      await truncate(file, 3 * 1024 ** 3);
      assert.ok(readLogEnd(file, 0).length < 1024 * 1024);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
