import assert from 'node:assert/strict';
import { TokenBucket } from '../../../src/async/token-bucket.ts';

describe('a token bucket', () => {
  it('starts full, and gets tokens with time up to its burst', () => {
    const bucket = new TokenBucket({ perSecond: 2, burst: 3 }, 0);
    const taken = (...times: readonly number[]) => times.map((ms) => bucket.tryTake(ms));
    assert.deepEqual(taken(0, 0, 0, 0), [true, true, true, false]);
    assert.deepEqual(taken(499, 500, 501), [false, true, false]);
    assert.deepEqual(taken(60_000, 60_000, 60_000, 60_000), [true, true, true, false]);
  });

  it('says how long it takes until there is a token', () => {
    const bucket = new TokenBucket({ perSecond: 2, burst: 1 }, 0);
    assert.deepEqual(
      [0, 0, 250, 500].map((ms) => bucket.take(ms)),
      [0, 500, 250, 0],
    );
  });
});
