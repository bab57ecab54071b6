import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonValue } from '../../../src/meta/json-value.ts';
import { applyMergePatch } from '../../../src/patch/merge-patch.ts';
import { PatchError } from '../../../src/patch/patch-error.ts';

describe('merge patch', () => {
  const stories: readonly (readonly [document: JsonValue, patch: JsonValue, result: JsonValue])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b', null] }, { a: ['b'] }],
    [{ a: ['c'] }, { a: [null, [null, { b: null, c: 1 }]] }, { a: [[{ c: 1 }]] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [['a'], { a: 'c' }, { a: 'c' }],
    [{}, { a: { b: { c: null } } }, { a: { b: {} } }],
    [{ a: 1 }, {}, { a: 1 }],
  ];
  for (const [document, patch, result] of stories) {
    it(`makes ${JSON.stringify(result)} of ${JSON.stringify(document)} and ${JSON.stringify(patch)}`, () => {
      const before = structuredClone(document);
      assert.deepEqual(applyMergePatch(document, patch), result);
      assert.deepEqual(document, before);
    });
  }

  it('keeps nulls in lists as an option, as since release 1.35', () => {
    const patch = { a: [null, [null, { b: null, c: 1 }]], d: null };
    assert.deepEqual(applyMergePatch({ d: 1 }, patch, 'kept'), { a: [null, [null, { c: 1 }]] });
  });

  for (const patch of [null, [], 'x', 1, true]) {
    it(`is malformed as ${JSON.stringify(patch)}`, () => {
      assert.throws(
        () => applyMergePatch({}, patch),
        (error) => error instanceof PatchError && error.kind === 'malformed' && error.code === 400,
      );
    });
  }

  it('takes __proto__ for a key like any other', () => {
    const patch = JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":2}}}') as JsonValue;
    assert.equal(
      JSON.stringify(applyMergePatch({ a: {} }, patch)),
      '{"a":{"__proto__":{"polluted":2}},"__proto__":{"polluted":1}}',
    );
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    const emptied = applyMergePatch(patch, JSON.parse('{"__proto__":null}') as JsonValue);
    assert.equal(JSON.stringify(emptied), '{"a":{"__proto__":{"polluted":2}}}');
  });

  it('changes nothing when applied again', () => {
    const document = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(document, document, (value, patch) => {
        // fast-check's JSON values are JSON values; its type only allows for undefined too.
        const [target, changes] = [value as JsonValue, patch as JsonValue];
        const once = applyMergePatch(target, changes);
        assert.deepEqual(applyMergePatch(once, changes), once);
      }),
    );
  });
});
