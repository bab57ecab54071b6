import assert from 'node:assert/strict';
import { SyncTimes } from '../../../src/controllers/horizontalpodautoscaling/sync-times.ts';

describe('the looks at autoscalers', () => {
  it('begin a period after one was seen, and come once in a period whatever changes', () => {
    const times = new SyncTimes(100);
    const waits = [0, 50, 100, 101, 200].map((nowMs) => times.waitMs('a', 'u', nowMs));
    assert.deepEqual(waits, [100, 50, 0, 99, 0]);
  });

  it('begin again for another autoscaler of the same name', () => {
    const times = new SyncTimes(100);
    times.waitMs('a', 'u', 0);
    assert.equal(times.waitMs('a', 'other', 90), 100);
    times.forget('a');
    assert.equal(times.waitMs('a', 'other', 180), 100);
  });
});
