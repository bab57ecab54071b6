import assert from 'node:assert/strict';
import { mergeInOrder } from '../../../../src/aggregator/peers/merge-in-order.ts';

describe('names of several lists in one', () => {
  const cases: readonly [why: string, lists: readonly (readonly string[])[], merged: readonly string[]][] = [
    ['nothing', [], []],
    [
      'a list that has all names',
      [
        ['b', 'a', 'c'],
        ['a', 'c'],
      ],
      ['b', 'a', 'c'],
    ],
    [
      'names without an order are sorted',
      [
        ['a', 'c'],
        ['b', 'c'],
      ],
      ['a', 'b', 'c'],
    ],
    [
      'the order of each list stays',
      [
        ['z', 'm'],
        ['m', 'a'],
        ['z', 'b'],
      ],
      ['z', 'b', 'm', 'a'],
    ],
    ['contradictions are sorted', [['a', 'b'], ['b', 'a'], ['c']], ['a', 'b', 'c']],
  ];
  for (const [why, lists, merged] of cases) {
    it(why, () => assert.deepEqual(mergeInOrder(lists), merged));
  }
});
