import assert from 'node:assert/strict';
import type { CachedObject } from '../../../src/storage/objects/cached-object.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { itemsJson } from '../../../src/storage/objects/items-json.ts';
import { everything, ObjectTree } from '../../../src/storage/objects/object-tree.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { scanPortions } from '../../../src/storage/objects/yielding-scan.ts';
import { pod } from './fixture.ts';

const count = 20;

function largeObjects(): CachedObject[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `p${String(index).padStart(2, '0')}`;
    const value = encodeStoredObject(pod('default', name, {}, { spec: { text: 'x'.repeat(300_000) } }));
    return cachedObject({ key: `/k/${name}`, value, revision: 7 }, { namespace: 'default', name });
  });
}

describe('reads of large objects', () => {
  it('scan few of them in one turn of the event loop', async () => {
    const tree = new ObjectTree();
    for (const object of largeObjects()) tree.set(object);
    const found: string[] = [];
    for await (const portion of scanPortions(tree, everything, undefined)) {
      assert.ok(portion.length <= 2, `${portion.length} objects in one turn`);
      found.push(...portion.map(({ key }) => key));
    }
    assert.deepEqual(
      found,
      largeObjects().map(({ key }) => key),
    );
  });

  it('measure a list without making the JSON of its objects', () => {
    let made = 0;
    const objects = largeObjects();
    for (const object of objects) {
      const { json } = object;
      Object.defineProperty(object, 'json', {
        get() {
          made++;
          return json;
        },
      });
    }
    const { length, pieces } = itemsJson(objects);
    assert.equal(made, 0);
    assert.equal(Buffer.concat([...pieces()]).length, length);
  });
});
