import assert from 'node:assert/strict';
import { createUtilization } from '../../../src/flowcontrol/utilization.ts';

describe('the utilization of priority levels', () => {
  it('counts each value for the nanoseconds that it lasted, in parts of the limits, up to now', () => {
    let nowMs = 0;
    const utilization = createUtilization(() => nowMs);
    const level = utilization.of('workload-low');
    level.limit({ seats: 10, waiting: 100 }, 0);
    level.change({ executing: 1, seats: 5 }, 1);
    level.change({ waiting: 1 }, 3);
    nowMs = 4;
    const seen = utilization.families.flatMap((family) =>
      [...family.samples()]
        .filter(({ suffix }) => suffix !== '_bucket')
        .map(({ suffix, labels, value }) => [family.name.split('_').at(-2), labels['phase'], suffix, value]),
    );
    assert.deepEqual(seen, [
      ['seat', 'executing', '_sum', 0.5 * 3e6],
      ['seat', 'executing', '_count', 4e6],
      ['request', 'executing', '_sum', 0.1 * 3e6],
      ['request', 'executing', '_count', 4e6],
      ['request', 'waiting', '_sum', 0.01 * 1e6],
      ['request', 'waiting', '_count', 4e6],
    ]);
  });
});
