import assert from 'node:assert/strict';
import { seedOfRun } from '../robustness/random.ts';
import { runSoak } from './run-soak.ts';

describe('A server under mixed load', () => {
  it('answers every list and watch as the model has it', async () => {
    const seed = seedOfRun();
    const { faults, counts, crashed } = await runSoak({ seconds: 8, seed });
    assert.deepEqual(faults.slice(0, 5), [], `ROBUSTNESS_SEED=${seed}`);
    assert.equal(crashed, false);
    for (const kind of ['lists', 'writes', 'watches', 'aborted', 'slow readers']) {
      assert.ok((counts.get(kind) ?? 0) > 0, `there were no ${kind}`);
    }
  });
});
