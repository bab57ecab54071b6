import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Deferred, newDeferred } from '../../../src/async/deferred.ts';
import { sharedRevisionReads } from '../../../src/storage/port/revision-reads.ts';

/** Reads that are answered when the test says so. */
function reads(): { readonly calls: Deferred<number>[]; readonly latest: () => Promise<number> } {
  const calls: Deferred<number>[] = [];
  const latest = sharedRevisionReads(() => {
    const call = newDeferred<number>();
    calls.push(call);
    return call.promise;
  });
  return { calls, latest };
}

describe('shared reads of the revision', () => {
  it('answer all who come in one turn with one call', async () => {
    const { calls, latest } = reads();
    const both = Promise.all([latest(), latest()]);
    await nextTurn();
    assert.equal(calls.length, 1);
    calls[0]?.resolve(7);
    assert.deepEqual(await both, [7, 7]);
  });

  it('never answer with a call that had begun before the question', async () => {
    const { calls, latest } = reads();
    const early = latest();
    await nextTurn();
    const late = [latest(), latest()];
    calls[0]?.resolve(7);
    assert.equal(await early, 7);
    await nextTurn();
    await nextTurn();
    assert.equal(calls.length, 2);
    calls[1]?.resolve(8);
    assert.deepEqual(await Promise.all(late), [8, 8]);
  });

  it('go on after a call that failed, of which only those hear who waited for it', async () => {
    const { calls, latest } = reads();
    const failed = assert.rejects(latest(), /gone/);
    await nextTurn();
    const next = latest();
    calls[0]?.reject(new Error('gone'));
    await failed;
    await nextTurn();
    await nextTurn();
    calls[1]?.resolve(9);
    assert.equal(await next, 9);
  });
});
