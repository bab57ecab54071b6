import assert from 'node:assert/strict';
import { mergeLists } from '../../../src/apply/merge-lists.ts';
import { mergeValues } from '../../../src/apply/merge-values.ts';
import type { ListSchema } from '../../../src/scheme/model/schema.ts';

const set: ListSchema = { type: 'list', items: { type: 'string' }, listType: 'set', mapKeys: [] };

/** The items of a live list, of an applied one, and of both merged. */
const orders: readonly (readonly [title: string, live: string, applied: string, merged: string])[] = [
  ['a new item before a live one', 'w', 'mw', 'mw'],
  ['a new item after a live one', 'w', 'wm', 'wm'],
  ['new items between live ones', 'abc', 'axbyc', 'axbyc'],
  ['live items in another order', 'abc', 'cab', 'cab'],
  ['unnamed items, which keep their places', 'abcde', 'bd', 'abcde'],
  ['unnamed items between named ones that change places', 'axbyc', 'cba', 'xycba'],
  ['new items after the unnamed ones that follow a named one', 'ax', 'an', 'axn'],
  ['new items before the next named one', 'axb', 'anb', 'axnb'],
  ['nothing in common', 'ab', 'cd', 'abcd'],
  ['nothing live', '', 'ba', 'ba'],
  ['nothing applied', 'ba', '', 'ba'],
  ['an item that is there twice', 'abab', 'b', 'aba'],
];

describe('the order of merged lists', () => {
  for (const [title, live, applied, merged] of orders) {
    it(`has ${title}`, () => {
      const before = live.split('');
      const result = mergeLists(set, before, applied.split(''), mergeValues);
      assert.deepEqual(result, merged.split(''));
      if (live === merged) assert.equal(result, before, 'an unchanged list is shared');
    });
  }
});
