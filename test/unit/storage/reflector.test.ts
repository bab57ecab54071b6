import assert from 'node:assert/strict';
import { newDeferred } from '../../../src/async/deferred.ts';
import type { WatchBatch } from '../../../src/storage/port/object-store.ts';
import { Reflector } from '../../../src/storage/cache/reflector.ts';
import { eventually, FaultyStore, prefix, putPod } from './fixture.ts';

/** A store that has one more batch to tell when its watch is ended. */
class LateStore extends FaultyStore {
  readonly late = newDeferred<void>();
  ended = 0;

  override async *watch(...args: Parameters<FaultyStore['watch']>): AsyncGenerator<WatchBatch> {
    const { afterRevision, signal } = args[1];
    yield { revision: afterRevision, events: [] };
    await this.late.promise;
    assert.ok(signal?.aborted);
    this.ended++;
    yield* super.watch(args[0], { afterRevision });
  }
}

describe('the reflector', () => {
  it('delivers nothing of a stream that it has given up', async () => {
    const store = new LateStore();
    await putPod(store, 'default', 'before');
    let delivered = 0;
    const reflector = new Reflector({
      store,
      prefix: `${prefix}/`,
      onEvents: (events) => {
        delivered += events.length;
      },
      onRenewal: () => {},
      onReset: (cause) => assert.fail(cause),
      writeProgress: () => Promise.resolve(0),
      silenceMs: 10_000,
      showTimeoutMs: 10_000,
      log: () => {},
    });
    reflector.start();
    await eventually(() => reflector.brokenSince === undefined);
    const { revision } = reflector;
    await putPod(store, 'default', 'after');
    const closed = reflector.close();
    store.late.resolve();
    await closed;
    assert.deepEqual([store.ended, delivered, reflector.revision], [1, 0, revision]);
    await store.close();
  });
});
