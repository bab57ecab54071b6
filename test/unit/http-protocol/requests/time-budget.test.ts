import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TimeBudget } from '../../../../src/http-protocol/requests/time-budget.ts';

function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

describe('a time budget of loop turns', () => {
  it('lets work begin at once until it is used up, and the rest in later turns, in the order of the calls', async () => {
    const budget = new TimeBudget(5);
    assert.equal(budget.take(), undefined);
    assert.equal(budget.take(), undefined);
    work(6);
    const begun: string[] = [];
    const first = budget.take()?.then(() => begun.push('first'));
    const second = budget.take()?.then(() => begun.push('second'));
    assert.ok(first && second, 'nothing is left of this turn');
    await Promise.resolve();
    assert.deepEqual(begun, []);
    await Promise.all([first, second]);
    assert.deepEqual(begun, ['first', 'second']);
  });

  it('is whole again in the next turn', async () => {
    const budget = new TimeBudget(5);
    assert.equal(budget.take(), undefined);
    work(6);
    await nextTurn();
    await nextTurn();
    assert.equal(budget.take(), undefined);
  });

  /** The turns of the event loop that waiting pieces of work take, when nothing is left of the first one. */
  async function turnsOf(budget: TimeBudget, pieces: number, piece: () => Promise<void> | void): Promise<number> {
    assert.equal(budget.take(), undefined);
    work(21);
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const begin = async (): Promise<void> => {
      await budget.take();
      await piece();
    };
    await Promise.all(Array.from({ length: pieces }, begin));
    counting = false;
    return turns;
  }

  it('lets waiting work begin in the same turn while it leaves something of the budget', async () => {
    // Work that itself waits for settled promises is part of the turn.
    const small = async (): Promise<void> => {
      for (let i = 0; i < 5; i++) await Promise.resolve();
    };
    const turns = await turnsOf(new TimeBudget(20), 200, small);
    assert.ok(turns < 20, `${turns} turns for 200 small pieces of work`);
  });

  it('lets no more waiting work begin in a turn whose budget is used up', async () => {
    const turns = await turnsOf(new TimeBudget(20), 4, () => work(21));
    assert.ok(turns >= 3, `${turns} turns for 4 large pieces of work`);
  });
});
