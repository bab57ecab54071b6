import assert from 'node:assert/strict';
import type { Pod } from '../../../src/controllers/resources.ts';
import { PodQueue } from '../../../src/nodes/scheduler/pod-queue.ts';

describe('the queue of the scheduler', () => {
  /** Reads of metadata: `take` reads that of each entry that it removes. */
  let reads = 0;
  const pod = (uid: string, priority = 0): Pod => ({
    get metadata() {
      reads++;
      return { name: uid, uid, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
    },
    spec: { containers: [], priority },
  });

  it('returns the latest state of a pod at the place of its first one', () => {
    const queue = new PodQueue();
    const latest = pod('a');
    for (const each of [pod('a'), pod('b'), pod('c', 5), latest]) queue.add(each);
    const order = [queue.take(), queue.take(), queue.take()];
    assert.deepEqual(
      order.map((each) => each?.metadata.uid),
      ['c', 'a', 'b'],
    );
    assert.equal(order[1], latest);
    assert.equal(queue.take(), undefined);
  });

  it('moves a pod whose priority has changed', () => {
    const queue = new PodQueue();
    for (const each of [pod('a'), pod('b', 1), pod('a', 2)]) queue.add(each);
    assert.deepEqual([queue.take()?.metadata.uid, queue.take()?.metadata.uid, queue.size], ['a', 'b', 0]);
  });

  it('keeps no entries of pods that change, come and go', () => {
    const queue = new PodQueue();
    queue.add(pod('first', 9));
    for (let index = 0; index < 5_000; index++) {
      queue.add(pod('changing', index % 2));
      queue.add(pod(`gone-${index}`));
      queue.delete(`gone-${index}`);
    }
    reads = 0;
    assert.equal(queue.take()?.metadata.uid, 'first');
    assert.equal(queue.take()?.metadata.uid, 'changing');
    assert.equal(queue.take(), undefined);
    assert.ok(reads < 100, `${reads} entries were read`);
  });
});
