import assert from 'node:assert/strict';
import type { AuditEvent } from '../../../src/audit/audit-event.ts';
import { type BatchOptions, BatchQueue } from '../../../src/audit/batch-queue.ts';
import { newDeferred } from '../../../src/async/deferred.ts';
import { until } from '../../http/until.ts';
import { sampleEvent } from './sample-event.ts';

const eventOf = (auditId: string): AuditEvent => sampleEvent({ auditId });
const options: BatchOptions = { bufferSize: 10, maxSize: 3, maxWaitMs: 0, throttle: undefined };

/** A queue whose deliveries are recorded, and end when `gate` does. */
function recorded(more: Partial<BatchOptions>, deliveries = 1, gate = Promise.resolve()) {
  const batches: string[] = [];
  const deliver = (events: readonly AuditEvent[]): Promise<void> => {
    batches.push(events.map(({ auditId }) => auditId).join(''));
    return gate;
  };
  const queue = new BatchQueue({ ...options, ...more, deliver, deliveries });
  return { batches, queue, add: (ids: string) => ids.split('').map((id) => queue.add(eventOf(id))) };
}

describe('BatchQueue', () => {
  it('delivers full batches in order, and the rest when it closes', async () => {
    const { batches, queue, add } = recorded({});
    add('abcdefgh');
    await until('two deliveries', () => batches.length === 2);
    assert.deepEqual(batches, ['abc', 'def']);
    await queue.close(1_000);
    assert.deepEqual(batches, ['abc', 'def', 'gh']);
  });

  it('delivers a smaller batch when its first event has waited', async () => {
    const { batches, add } = recorded({ maxWaitMs: 20 });
    add('ab');
    assert.deepEqual(batches, []);
    await until('a delivery', () => batches.length > 0);
    assert.deepEqual(batches, ['ab']);
  });

  it('refuses events beyond the buffer while a delivery runs', async () => {
    const { promise: gate, resolve: open } = newDeferred<void>();
    const { batches, queue, add } = recorded({ bufferSize: 4 }, 1, gate);
    assert.ok(add('abcdefg').every(Boolean));
    assert.deepEqual(add('h'), [false]);
    open();
    await queue.close(1_000);
    assert.deepEqual(batches, ['abc', 'def', 'g']);
  });

  it('runs several deliveries at once', () => {
    const { batches, add } = recorded({}, 2, new Promise(() => {}));
    add('abcdefghi');
    assert.deepEqual(batches, ['abc', 'def']);
  });

  it('limits the rate after a burst', async () => {
    const { batches, add } = recorded({ maxSize: 1, throttle: { qps: 20, burst: 2 } }, 5);
    const startMs = performance.now();
    add('abcd');
    await until('all deliveries', () => batches.length === 4);
    // Two are delivered at once, the others 50 ms apart.
    assert.ok(performance.now() - startMs >= 95);
    assert.deepEqual(batches, ['a', 'b', 'c', 'd']);
  });

  it('does not wait for a delivery that never ends when it closes', async () => {
    const { queue, add } = recorded({}, 1, new Promise(() => {}));
    add('abc');
    // If it waited, this test would not end.
    await queue.close(30);
  });
});
