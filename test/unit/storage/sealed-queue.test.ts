import assert from 'node:assert/strict';
import { SealedQueue } from '../../../src/storage/cache/waiting/sealed-queue.ts';
import type { StoreEvent } from '../../../src/storage/port/object-store.ts';

const large = Buffer.alloc(1 << 20);

function sealed(revision: number, value = large): StoreEvent {
  const open = async (): Promise<never> => {
    await Promise.resolve();
    throw new Error('no key');
  };
  const current = { key: `/registry/pods/a/${revision}`, value, revision, open };
  return { type: 'put', created: true, previous: undefined, current };
}

describe('the queues of changes that wait for keys', () => {
  it('have a common limit: the largest is dropped, the small ones keep waiting', () => {
    const waiting = new Set<SealedQueue>();
    const given: string[] = [];
    const queueOf = (prefix: string) =>
      new SealedQueue({
        apply: () => assert.fail('nothing can be opened'),
        onOverflow: ({ code }) => void given.push(`${prefix} ${code}`),
        waiting,
        prefix,
        log: () => {},
      });
    const small = queueOf('small');
    small.take(sealed(1, Buffer.alloc(1)));
    const queues = Array.from({ length: 5 }, (_, index) => queueOf(`q${index}`));
    queues.forEach((queue, index) => {
      for (let count = 0; count < 15 - index; count++) queue.take(sealed(2));
    });
    assert.deepEqual(given, ['q0 Compacted']);
    assert.deepEqual([small.revision, queues[0]?.revision, queues[4]?.revision], [0, Number.POSITIVE_INFINITY, 1]);
    for (const queue of [small, ...queues]) queue.clear();
    assert.equal(waiting.size, 0);
  });

  it('are dropped when a change cannot be applied, and do not end the process', async () => {
    const reasons: string[] = [];
    const queue = new SealedQueue({
      apply: () => assert.fail('a fault of a reader'),
      onOverflow: ({ message }) => void reasons.push(message),
      waiting: new Set(),
      prefix: 'q',
      log: () => {},
    });
    const current = { key: 'k', value: large, revision: 1 };
    queue.take({
      type: 'put',
      created: true,
      previous: undefined,
      current: { ...current, open: () => Promise.resolve(current) },
    });
    await new Promise(setImmediate);
    assert.deepEqual(reasons, ['a change under q cannot be applied: a fault of a reader']);
  });

  it('leave no unhandled rejection when the first change exceeds the limit', async () => {
    const waiting = new Set<SealedQueue>();
    const overflows: string[] = [];
    const onOverflow = ({ code }: { readonly code: string }) => void overflows.push(code);
    const queue = new SealedQueue({ apply: () => {}, onOverflow, waiting, prefix: 'q', log: () => {} });
    queue.take(sealed(1, Buffer.alloc(17 << 20)));
    await new Promise(setImmediate);
    assert.deepEqual(overflows, ['Compacted']);
  });
});
