import assert from 'node:assert/strict';
import {
  type JoinedRun,
  ListBytesCache,
  noRuns,
  type RunMember,
} from '../../../src/storage/objects/list-bytes-cache.ts';

const owner = { ended: false };

function member(): RunMember & { isCurrent: boolean } {
  return { isCurrent: true, runs: noRuns };
}

function itemsOf(run: JoinedRun | undefined): number | undefined {
  return run?.items.length;
}

describe('joined items of selections', () => {
  it('are found where all of them are in a list in their order, and nowhere else', () => {
    const [a, b, c] = [member(), member(), member()];
    const cache = new ListBytesCache();
    cache.keep(owner, [a, b], Buffer.alloc(10));
    assert.equal(itemsOf(cache.find([c, a, b, c], 1)), 2);
    assert.equal(itemsOf(cache.find([a, b], 0)), 2);
    for (const others of [[a, c], [b, a], [a], [], [member(), b], [a, c, b]]) {
      assert.equal(cache.find(others, 0), undefined);
    }
    assert.equal(cache.find([c, a, b], 0), undefined);
    assert.equal(cache.find([a, b], 1), undefined, 'a run begins with its first item');
  });

  it('are the longest that a list has, of those that begin with one object', () => {
    const [a, b, c] = [member(), member(), member()];
    const cache = new ListBytesCache();
    cache.keep(owner, [a, b], Buffer.alloc(10));
    cache.keep(owner, [a, b, c], Buffer.alloc(15));
    cache.keep(owner, [a], Buffer.alloc(5));
    for (const length of [1, 2, 3]) assert.equal(itemsOf(cache.find([a, b, c].slice(0, length), 0)), length);
    assert.equal(itemsOf(cache.find([a, c], 0)), 1);
  });

  it('are kept once where two requests have joined the same', () => {
    const [a, b] = [member(), member()];
    const cache = new ListBytesCache();
    for (let round = 0; round < 10; round++) cache.keep(owner, [a, b], Buffer.alloc(20));
    assert.equal(cache.bytes, 20);
  });

  it('are not more bytes than the limit, and those that were used last', () => {
    const [a, b, c] = [member(), member(), member()];
    const cache = new ListBytesCache(100);
    for (const one of [a, b, c]) cache.keep(owner, [one], Buffer.alloc(25));
    cache.find([a], 0);
    cache.keep(owner, [member()], Buffer.alloc(25));
    cache.keep(owner, [member()], Buffer.alloc(20));
    assert.deepEqual(
      [a, b, c].map((one) => cache.find([one], 0) !== undefined),
      [true, false, true],
    );
    assert.deepEqual(b.runs, [], 'the object does not keep what the cache has given up');
    assert.equal(cache.bytes, 95);
    cache.keep(owner, [a, b], Buffer.alloc(26));
    assert.equal(itemsOf(cache.find([a, b], 0)), 1, 'a selection of more than a quarter of the limit is not kept');
  });

  it('are forgotten by all their objects as soon as one is replaced', () => {
    const [a, b, c] = [member(), member(), member()];
    const cache = new ListBytesCache();
    cache.keep(owner, [a, b], Buffer.alloc(10));
    cache.keep(owner, [b, c], Buffer.alloc(10));
    cache.keep(owner, [c], Buffer.alloc(5));
    for (const run of b.runs) run.forget();
    assert.equal(cache.bytes, 5);
    assert.deepEqual([a.runs, b.runs, itemsOf(c.runs[0])], [[], [], 1]);
  });

  it('are not kept where one of them was replaced already, nor for a state that was given up', () => {
    const cache = new ListBytesCache();
    cache.keep(owner, [member(), { ...member(), isCurrent: false }], Buffer.alloc(10));
    cache.keep({ ended: true }, [member()], Buffer.alloc(10));
    assert.equal(cache.bytes, 0);
  });

  it('go with the state that they belong to', () => {
    const other = { ended: false };
    const [a, b] = [member(), member()];
    const cache = new ListBytesCache();
    cache.keep(owner, [a], Buffer.alloc(10));
    cache.keep(other, [b], Buffer.alloc(7));
    cache.forgetAll(owner);
    assert.equal(cache.bytes, 7);
    assert.equal(cache.find([a], 0), undefined);
    assert.equal(itemsOf(cache.find([b], 0)), 1);
  });

  it('are few for each object, the newest of them', () => {
    const [first, ...others] = Array.from({ length: 20 }, member);
    assert.ok(first);
    const cache = new ListBytesCache();
    for (const other of others) cache.keep(owner, [first, other], Buffer.alloc(10));
    assert.equal(first.runs.length, 8);
    assert.equal(cache.bytes, 80);
    assert.equal(itemsOf(cache.find([first, others[18] ?? first], 0)), 2);
  });
});
