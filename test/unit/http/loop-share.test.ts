import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LoopShare } from '../../../src/http/request/loop-share.ts';

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

describe('a share of the event loop', () => {
  it('lets work begin at once until it is used up, and the rest in later turns, in the order of the calls', async () => {
    const share = new LoopShare(5);
    assert.equal(share.take(), undefined);
    assert.equal(share.take(), undefined);
    work(6);
    const begun: string[] = [];
    const first = share.take()?.then(() => begun.push('first'));
    const second = share.take()?.then(() => begun.push('second'));
    assert.ok(first && second, 'nothing is left of this turn');
    await Promise.resolve();
    assert.deepEqual(begun, []);
    await Promise.all([first, second]);
    assert.deepEqual(begun, ['first', 'second']);
  });

  it('is whole again in the next turn', async () => {
    const share = new LoopShare(5);
    assert.equal(share.take(), undefined);
    work(6);
    await nextTurn();
    await nextTurn();
    assert.equal(share.take(), undefined);
  });
});
