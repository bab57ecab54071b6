import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../src/meta/json-value.ts';
import { pathsIn, valueAt, withoutPath, withValueAt } from './json-paths.ts';

const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const object = fc.dictionary(fc.string(), value, { maxKeys: 4 }) as fc.Arbitrary<JsonObject>;

describe('JSON paths', () => {
  it('lead to a value wherever they are from', () => {
    fc.assert(fc.property(object, (whole) => pathsIn(whole).every((path) => valueAt(whole, path) !== undefined)));
  });

  it('lead to what was set, and leave the original as it was', () => {
    const path = fc.array(fc.oneof(fc.string(), fc.constant(0)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(object, path, value, (whole, at, set) => {
        const before = JSON.stringify(whole);
        assert.deepEqual(valueAt(withValueAt(whole, ['top', ...at], set), ['top', ...at]), set);
        assert.equal(JSON.stringify(whole), before);
      }),
    );
  });

  it('make a value smaller where they are removed', () => {
    fc.assert(
      fc.property(object, (whole) => {
        for (const path of pathsIn(whole)) {
          assert.equal(pathsIn(withoutPath(whole, path)).length < pathsIn(whole).length, true);
        }
      }),
    );
  });
});
