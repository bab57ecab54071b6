import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { countRange, keyRange, newObjectTree, visitRange } from '../../../src/storage/object-tree.ts';
import { cachedObject } from '../../../src/storage/spliced-object.ts';
import { encodeStoredObject } from '../../../src/storage/stored-object.ts';
import { pod } from './fixture.ts';

const value = encodeStoredObject(pod('ns', 'x'));
const names = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }), { maxLength: 20 });

describe('the ordered map of objects', () => {
  it('keeps the byte order of keys, and finds exactly what is behind one', () => {
    fc.assert(
      fc.property(names, fc.nat(), (some, place) => {
        const tree = newObjectTree();
        const keys = [...new Set(some)].map((name) => `/registry/pods/${name}`);
        for (const key of keys) tree.set(key, cachedObject({ key, value, revision: 1 }, { namespace: '', name: key }));
        tree.set('/registry/pods0', cachedObject({ key: '/x', value, revision: 1 }, { namespace: '', name: 'x' }));
        const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        const found: string[] = [];
        visitRange(tree, keyRange('/registry/pods/'), (object) => found.push(object.key) > 0);
        assert.deepEqual(found, sorted);
        if (sorted.length === 0) return;
        const at = place % sorted.length;
        assert.equal(countRange(tree, keyRange('/registry/pods/', sorted[at])), sorted.length - at - 1);
        assert.equal(countRange(tree, keyRange('/registry/pods/', '/registry/zzz')), 0);
        assert.equal(countRange(tree, keyRange('/registry/pods/', '/a')), sorted.length);
      }),
    );
  });
});
