import assert from 'node:assert/strict';
import { Slots } from '../../../src/storage/slots.ts';
import { code, pause } from './fixture.ts';

describe('slots', () => {
  it('are given in the order in which they were asked for, and no more than there are', async () => {
    const slots = new Slots(2);
    const order: number[] = [];
    const enter = (who: number) => slots.enter(undefined).then(() => order.push(who));
    const all = [0, 1, 2, 3, 4].map(enter);
    await pause(1);
    assert.deepEqual(order, [0, 1]);
    slots.leave();
    await pause(1);
    assert.deepEqual(order, [0, 1, 2]);
    for (let i = 0; i < 4; i++) slots.leave();
    await Promise.all(all);
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
    assert.deepEqual(await Promise.all([slots.enter(undefined, 0), slots.enter(undefined, 0)]), [true, true]);
    assert.equal(await slots.enter(undefined, 1), false);
  });

  it('are not lost to those who went away or gave up, not even at the moment when it was their turn', async () => {
    const slots = new Slots(1);
    await slots.enter(undefined);
    const before = new AbortController();
    const gone = slots.enter(before.signal);
    const late = slots.enter(undefined, 1);
    before.abort();
    await assert.rejects(gone, code('Cancelled'));
    assert.equal(await late, false);

    const during = new AbortController();
    const torn = slots.enter(during.signal);
    during.abort();
    slots.leave();
    await assert.rejects(torn, code('Cancelled'));
    assert.equal(await slots.enter(undefined, 0), true);
  });
});
