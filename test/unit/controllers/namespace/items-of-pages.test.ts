import assert from 'node:assert/strict';
import { itemsOfPages } from '../../../../src/controllers/namespace/items-of-pages.ts';

describe('the items of pages', () => {
  const read: number[] = [];
  async function* pages() {
    read.length = 0;
    for (const items of [[], [1], [], [2, 3]]) {
      read.push(items.length);
      yield { items };
    }
  }

  it('are all of them, or those of the first pages that have enough', async () => {
    assert.deepEqual(await itemsOfPages(pages()), [1, 2, 3]);
    assert.deepEqual([await itemsOfPages(pages(), 1), read], [[1], [0, 1]]);
    assert.deepEqual(await itemsOfPages(pages(), 2), [1, 2, 3]);
  });
});
