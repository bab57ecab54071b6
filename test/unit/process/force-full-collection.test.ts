import assert from 'node:assert/strict';
import { forceFullCollection } from '../../../src/process/force-full-collection.ts';

describe('forceFullCollection', () => {
  it('collects what is not needed at once, without the flag of the command line', () => {
    const kept = new WeakRef({});
    return new Promise<void>((resolve) => {
      // A weak reference holds its target until the turn of the event loop ends.
      setImmediate(() => {
        forceFullCollection();
        assert.equal(kept.deref(), undefined);
        resolve();
      });
    });
  });
});
