import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { copyJson, type JsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import { differencesBetween } from './compare.ts';
import { pathsIn, withoutPath, withValueAt } from './json-paths.ts';

const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }) as fc.Arbitrary<JsonObject>;

describe('Differences between two values', () => {
  it('are none between a value and its copy', () => {
    fc.assert(fc.property(object, (value) => differencesBetween(value, copyJson(value)).length === 0));
  });

  it('are the same from both sides', () => {
    fc.assert(
      fc.property(object, object, (one, other) => {
        const swapped = differencesBetween(other, one).map(({ path, reference, ours }) => ({
          path,
          ours: reference,
          reference: ours,
        }));
        const byPath = (list: readonly { path: readonly unknown[] }[]): string[] =>
          list.map((each) => JSON.stringify(each.path)).toSorted();
        assert.deepEqual(byPath(differencesBetween(one, other)), byPath(swapped));
      }),
    );
  });

  it('are exactly at the place of a change', () => {
    fc.assert(
      fc.property(object, fc.nat(), (value, chosen) => {
        const paths = pathsIn(value);
        const path = paths[chosen % Math.max(1, paths.length)];
        if (!path) return;
        const changed = withValueAt(value, path, 'a value that is nowhere else');
        assert.deepEqual(
          differencesBetween(value, changed).map((each) => each.path),
          [path],
        );
      }),
    );
  });

  it('say which side has nothing', () => {
    const whole: JsonValue = { a: { b: 1, c: [1, 2] } };
    assert.deepEqual(differencesBetween(whole, withoutPath(whole, ['a', 'c', 1])), [
      { path: ['a', 'c', 1], reference: 2, ours: undefined },
    ]);
  });
});
