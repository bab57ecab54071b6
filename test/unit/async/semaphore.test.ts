import assert from 'node:assert/strict';
import { nextTurn } from '../../../src/async/yield-if-long.ts';
import { Semaphore } from '../../../src/async/semaphore.ts';

describe('a semaphore', () => {
  it('lets in, in the order of asking, no more than it was made for', async () => {
    const semaphore = new Semaphore(2);
    const order: number[] = [];
    const acquire = (who: number) => semaphore.acquire(undefined).then(() => order.push(who));
    const all = [0, 1, 2, 3, 4].map(acquire);
    await nextTurn();
    assert.deepEqual(order, [0, 1]);
    semaphore.release();
    await nextTurn();
    assert.deepEqual(order, [0, 1, 2]);
    for (let i = 0; i < 4; i++) semaphore.release();
    await Promise.all(all);
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
    assert.deepEqual(await Promise.all([semaphore.acquire(undefined, 0), semaphore.acquire(undefined, 0)]), [
      true,
      true,
    ]);
    assert.equal(await semaphore.acquire(undefined, 1), false);
  });

  it('loses nothing to those who went away or gave up, not even at the moment when it was their turn', async () => {
    const semaphore = new Semaphore(1);
    await semaphore.acquire(undefined);
    const before = new AbortController();
    const gone = semaphore.acquire(before.signal);
    const late = semaphore.acquire(undefined, 1);
    before.abort();
    await assert.rejects(gone, { name: 'AbortError' });
    assert.equal(await late, false);

    const during = new AbortController();
    const torn = semaphore.acquire(during.signal);
    during.abort();
    semaphore.release();
    await assert.rejects(torn, { name: 'AbortError' });
    assert.equal(await semaphore.acquire(undefined, 0), true);
  });
});
