import assert from 'node:assert/strict';
import { createOwnerReads } from '../../../../src/controllers/garbage-collector/owner-reads.ts';

describe('the reads of an owner that no informer has seen', () => {
  it('are one request for all dependents that ask while it runs, and none once it is absent', async () => {
    const owners = createOwnerReads<string>();
    let reads = 0;
    const read = async (): Promise<undefined> => {
      reads++;
      await new Promise(setImmediate);
    };
    await Promise.all(Array.from({ length: 20 }, () => owners('a', read)));
    assert.equal(await owners('a', read), undefined);
    assert.equal(reads, 1);
  });

  it('are repeated for an owner that exists, and after an error', async () => {
    const owners = createOwnerReads<string>();
    assert.equal(await owners('a', async () => 'first'), 'first');
    await assert.rejects(
      owners('a', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await owners('a', async () => 'second'), 'second');
  });
});
