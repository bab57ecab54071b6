import assert from 'node:assert/strict';
import { array, assert as check, asyncProperty, nat, record } from 'fast-check';
import { nextTurn } from '../../../src/async/yield-if-long.ts';
import { sortYielding } from '../../../src/async/sort-yielding.ts';

describe('sorting in turns of the event loop', () => {
  it('sorts as a stable sort in one turn does', async () => {
    const items = array(record({ key: nat(20), id: nat() }), { maxLength: 5_000, size: 'max' });
    const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
    await check(
      asyncProperty(items, async (list) => {
        assert.deepEqual(await sortYielding(list, compare, () => undefined), list.toSorted(compare));
      }),
      { numRuns: 20 },
    );
  });

  it('asks for time after a thousand items at most', async () => {
    let compared = 0;
    let most = 0;
    const rest = (): Promise<void> => {
      most = Math.max(most, compared);
      compared = 0;
      return nextTurn();
    };
    const compare = (a: number, b: number): number => {
      compared++;
      return a - b;
    };
    const items = Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 20_011);
    assert.deepEqual(
      await sortYielding(items, compare, rest),
      items.toSorted((a, b) => a - b),
    );
    assert.ok(most < 1_024 * 11, `${most} comparisons at once`);
  });
});
