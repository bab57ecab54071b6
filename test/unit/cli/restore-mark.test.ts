import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { markRestore, refuseIncompleteStore } from '../../../src/cli/up/restore-mark.ts';
import { RecordingError } from '../../../src/recording/recording-file.ts';

describe('the data of a restore that did not end', () => {
  it('is not taken for all of the snapshot, until a whole one is there', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'cl-restore-mark-'));
    const refused = (): void => assert.throws(() => refuseIncompleteStore(directory), /is incomplete: a snapshot/);
    const failing = (code: 'StoreNotEmpty' | 'StoreIncomplete') =>
      markRestore(directory, () => Promise.reject(new RecordingError(code, { code })));
    try {
      await assert.rejects(failing('StoreNotEmpty'), { message: 'StoreNotEmpty' });
      refuseIncompleteStore(directory);
      // A killed process leaves it as it is within the restore.
      await markRestore(directory, async () => refused());
      refuseIncompleteStore(directory);
      await assert.rejects(failing('StoreIncomplete'), { message: 'StoreIncomplete' });
      refused();
      await assert.rejects(failing('StoreNotEmpty'), /is incomplete: a snapshot/);
      refused();
      await markRestore(directory, () => Promise.resolve());
      refuseIncompleteStore(directory);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
