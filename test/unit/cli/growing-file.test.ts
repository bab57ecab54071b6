import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openGrowingFile } from '../../../src/cli/commands/audit/growing-file.ts';

describe('a growing file', () => {
  it('may have more new lines than a call may have arguments', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'cl-growing-'));
    const log = path.join(directory, 'log');
    await writeFile(log, 'first\n');
    const file = await openGrowingFile(log);
    assert.deepEqual(await file.lastLines(9, () => true), ['first']);
    await appendFile(log, 'x\n'.repeat(300_000));
    assert.equal((await file.newLines()).length, 300_000);
    await file.close();
    await rm(directory, { recursive: true });
  });
});
