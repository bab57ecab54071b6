import assert from 'node:assert/strict';
import { RefusalDelays } from '../../../src/controllers/jobs/refusal-delays.ts';

describe('delays of jobs whose pods are refused', () => {
  it('double with each refusal, up to six minutes', () => {
    const delays = new RefusalDelays();
    const waits = Array.from({ length: 7 }, () => delays.refuse('a', 's', 0) / 1000);
    assert.deepEqual(waits, [10, 20, 40, 80, 160, 320, 360]);
    assert.equal(delays.waitMs('a', 's', 60_000), 300_000);
  });

  it('end with a change, and begin again after a success', () => {
    const delays = new RefusalDelays();
    delays.refuse('a', 's', 0);
    assert.deepEqual([delays.waitMs('a', 'other', 0), delays.waitMs('b', 's', 0)], [0, 0]);
    assert.equal(delays.refuse('a', 'other', 0), 20_000);
    delays.forget('a');
    assert.equal(delays.waitMs('a', 'other', 0), 0);
    assert.equal(delays.refuse('a', 'other', 0), 10_000);
  });
});
