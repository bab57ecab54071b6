import assert from 'node:assert/strict';
import { ClusterSize } from '../../../src/controllers/ttl/cluster-size.ts';

describe('the size of a cluster', () => {
  it('decides how long node agents keep Secrets, and does not flutter at a limit', () => {
    const size = new ClusterSize();
    const seen = [100, 1, -1, -10, -1, 500, 10_000, -1000, -9000].map((count) => [size.change(count), size.seconds]);
    assert.deepEqual(seen, [
      [false, 0],
      [true, 15],
      [false, 15],
      [false, 15],
      [true, 0],
      [true, 30],
      [true, 600],
      [false, 600],
      [true, 30],
    ]);
  });
});
