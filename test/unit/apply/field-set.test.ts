import assert from 'node:assert/strict';
import { type Arbitrary, array, assert as holds, constantFrom, oneof, property, string } from 'fast-check';
import {
  difference,
  differenceWithBelow,
  equalSets,
  type FieldSet,
  fieldSetOf,
  hasPath,
  intersection,
  isEmptySet,
  noFields,
  pathsInOrder,
  union,
} from '../../../src/apply/field-set.ts';
import type { JsonValue } from '../../../src/meta/json-value.ts';
import { decodeFieldsV1, encodeFieldsV1, FieldsV1Error } from '../../../src/apply/fields-v1.ts';

const element = oneof(
  constantFrom('f:a', 'f:b', 'f:__proto__', 'f:', 'i:0', 'i:12', 'v:1', 'v:"x"', 'k:{"name":"n"}', 'k:{"a":1,"b":"c"}'),
  string({ maxLength: 3 }).map((text) => `f:${text}`),
);
const set: Arbitrary<FieldSet> = array(array(element, { minLength: 1, maxLength: 4 }), { maxLength: 8 }).map((paths) =>
  fieldSetOf(paths),
);

describe('field sets', () => {
  const laws: Readonly<Record<string, (a: FieldSet, b: FieldSet, c: FieldSet) => boolean>> = {
    'a union does not depend on the order': (a, b) => equalSets(union(a, b), union(b, a)),
    'a union does not depend on the grouping': (a, b, c) => equalSets(union(a, union(b, c)), union(union(a, b), c)),
    'an intersection does not depend on the order': (a, b) => equalSets(intersection(a, b), intersection(b, a)),
    'the difference and the intersection make up the set': (a, b) =>
      equalSets(union(difference(a, b), intersection(a, b)), a),
    'a difference has nothing of the other set': (a, b) => isEmptySet(intersection(difference(a, b), b)),
    'an intersection spreads over a union': (a, b, c) =>
      equalSets(intersection(a, union(b, c)), union(intersection(a, b), intersection(a, c))),
    'a difference by a union is a difference twice': (a, b, c) =>
      equalSets(difference(a, union(b, c)), difference(difference(a, b), c)),
    'nothing is neutral': (a) => equalSets(union(a, noFields), a) && equalSets(difference(a, noFields), a),
    'a difference with what is below is no more than a difference': (a, b) =>
      isEmptySet(difference(differenceWithBelow(a, b), difference(a, b))),
    'members are those that iteration gives': (a, b) =>
      [...pathsInOrder(a)].every((path) => hasPath(union(a, b), path) && hasPath(a, path)),
    'no set holds an empty branch': (a, b) =>
      [union(a, b), intersection(a, b), difference(a, b), differenceWithBelow(a, b)].every(isTrimmed),
  };
  for (const [name, law] of Object.entries(laws)) {
    it(name, () => holds(property(set, set, set, law)));
  }

  it('drops everything below a member of the other set', () => {
    const all = fieldSetOf([['f:status'], ['f:status', 'f:phase'], ['f:spec', 'f:a']]);
    assert.ok(equalSets(differenceWithBelow(all, fieldSetOf([['f:status']])), fieldSetOf([['f:spec', 'f:a']])));
  });
});

describe('FieldsV1', () => {
  it('reads what it wrote', () =>
    holds(property(set, (fields) => equalSets(decodeFieldsV1(encodeFieldsV1(fields)), fields))));

  it('says with a dot that a path is a member besides those below', () => {
    const fields = fieldSetOf([['f:a'], ['f:a', 'f:b'], ['f:c', 'f:d']]);
    assert.deepEqual(encodeFieldsV1(fields), { 'f:a': { '.': {}, 'f:b': {} }, 'f:c': { 'f:d': {} } });
  });

  it('writes fields before keys, values and indices', () => {
    const fields = fieldSetOf([['i:0'], ['v:1'], ['k:{"a":1}'], ['f:b'], ['f:a']]);
    assert.deepEqual(Object.keys(encodeFieldsV1(fields)), ['f:a', 'f:b', 'k:{"a":1}', 'v:1', 'i:0']);
  });

  it('takes keys in any spelling', () => {
    const fields = decodeFieldsV1({ 'k:{ "b": 2, "a": 1 }': {} });
    assert.ok(hasPath(fields, ['k:{"a":1,"b":2}']));
  });

  const refused: readonly JsonValue[] = [
    null,
    [],
    'x',
    { 'k:{': {} },
    { 'v:': {} },
    { 'i:x': {} },
    { x: {} },
    { 'f:a': 1 },
  ];
  for (const malformed of refused) {
    it(`refuses ${JSON.stringify(malformed)}`, () => {
      assert.throws(() => decodeFieldsV1(malformed), FieldsV1Error);
    });
  }

  it('refuses a tree that is too deep', () => {
    let tree = {};
    for (let depth = 0; depth < 10_000; depth++) tree = { 'f:a': tree };
    assert.throws(() => decodeFieldsV1(tree), FieldsV1Error);
  });
});

function isTrimmed(fields: FieldSet): boolean {
  return [...fields.entries.values()].every(({ member, below }) => (member || !isEmptySet(below)) && isTrimmed(below));
}
