import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { countRange, keyRange, ObjectTree, objectsIn } from '../../../src/storage/objects/object-tree.ts';
import type { CachedObject } from '../../../src/storage/objects/cached-object.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { pod } from './fixture.ts';

const value = encodeStoredObject(pod('ns', 'x'));
const prefix = '/registry/pods/';
const names = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }), { maxLength: 20 });

function object(key: string, revision = 1): CachedObject {
  return cachedObject({ key, value, revision }, { namespace: '', name: key });
}

function inOrder(keys: Iterable<string>): string[] {
  return [...keys].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function contents(tree: ObjectTree): string[] {
  return objectsIn(tree, keyRange(prefix)).map(({ key, revision }) => `${key} ${revision}`);
}

describe('the ordered map of objects', () => {
  it('keeps the byte order of keys, and finds exactly what is behind one', () => {
    fc.assert(
      fc.property(names, fc.nat(), (some, place) => {
        const tree = new ObjectTree();
        const keys = [...new Set(some)].map((name) => prefix + name);
        for (const key of keys) tree.set(object(key));
        tree.set(object('/registry/pods0'));
        const sorted = inOrder(keys);
        const found = objectsIn(tree, keyRange(prefix)).map(({ key }) => key);
        assert.deepEqual(found, sorted);
        if (sorted.length === 0) return;
        const at = place % sorted.length;
        assert.equal(countRange(tree, keyRange(prefix, sorted[at])), sorted.length - at - 1);
        assert.equal(countRange(tree, keyRange(prefix, '/registry/zzz')), 0);
        assert.equal(countRange(tree, keyRange(prefix, '/a')), sorted.length);
        const behind = objectsIn(tree, keyRange(prefix, sorted[at]), 2).map(({ key }) => key);
        assert.deepEqual(behind, sorted.slice(at + 1, at + 3));
      }),
    );
  });

  it('is what a plain map would be, over thousands of changes, and so are the copies that were taken between them', () => {
    const change = fc.record({ name: fc.nat(1500), put: fc.boolean(), copies: fc.boolean(), many: fc.nat(400) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const tree = new ObjectTree();
        const model = new Map<string, number>();
        const copies: { readonly copy: ObjectTree; readonly expected: readonly string[] }[] = [];
        let revision = 0;
        for (const { name, put, copies: copied, many } of changes) {
          for (let index = name; index <= name + many; index++) {
            const key = prefix + String(index * 7919).slice(-4);
            revision++;
            if (put) tree.set(object(key, revision));
            else tree.delete(key);
            if (put) model.set(key, revision);
            else model.delete(key);
          }
          if (copied) copies.push({ copy: tree.clone(), expected: contents(tree) });
        }
        const expected = inOrder(model.keys()).map((key) => `${key} ${model.get(key)}`);
        assert.deepEqual(contents(tree), expected);
        assert.equal(tree.size, model.size);
        for (const [key, at] of model) assert.equal(tree.get(key)?.revision, at);
        assert.equal(tree.get(`${prefix}none`), undefined);
        for (const { copy, expected: before } of copies) assert.deepEqual(contents(copy), before);
        assert.equal(countRange(tree, keyRange(prefix)), model.size);
      }),
      { numRuns: 30 },
    );
  });
});
