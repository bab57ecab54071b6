import assert from 'node:assert/strict';
import { collectGarbage } from '../../../src/server/collect-garbage.ts';

describe('collectGarbage', () => {
  it('collects what is not needed at once, without the flag of the command line', () => {
    const kept = new WeakRef({});
    return new Promise<void>((resolve) => {
      // A weak reference holds its target until the turn of the event loop ends.
      setImmediate(() => {
        collectGarbage();
        assert.equal(kept.deref(), undefined);
        resolve();
      });
    });
  });
});
