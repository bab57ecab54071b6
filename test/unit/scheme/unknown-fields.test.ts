import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { disabledFieldsOf } from '../../../src/scheme/disabled-fields.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { unknownFieldsOf } from '../../../src/scheme/unknown-fields.ts';

const message = 'api.apiextensions.v1.CustomResourceDefinition';
const extension = 'x-kubernetes-validations';

/** A schema with a rule at every place where a schema may be. */
function nested(rule: JsonObject): JsonObject {
  const leaf = (): JsonObject => ({ type: 'string', [extension]: [structuredClone(rule)] });
  const parts: JsonObject = {
    ...leaf(),
    items: leaf(),
    additionalProperties: leaf(),
    allOf: [leaf()],
    not: leaf(),
    properties: { a: { ...leaf(), properties: { b: leaf() } }, default: leaf() },
    definitions: { c: leaf() },
    default: { [extension]: 'kept' },
    enum: [{ [extension]: 'kept' }],
  };
  return { ...leaf(), properties: { spec: parts }, items: [leaf(), leaf()] };
}

function definitionOf(schema: JsonObject): JsonObject {
  return { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] } };
}

/** The names of all members with a value, at any depth. */
function countOf(value: unknown, name: string): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countOf(item, name), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, part]) => sum + Number(key === name) + countOf(part, name), 0);
}

describe('fields of later releases in the schemas of a definition', () => {
  const rule = {
    rule: 'true',
    messageExpression: '"a"',
    reason: 'FieldValueInvalid',
    fieldPath: '.a',
    optionalOldSelf: true,
  };

  const keptIn: Readonly<Record<string, readonly string[]>> = {
    '1.22': [],
    '1.23': ['rule'],
    '1.27': ['rule', 'messageExpression'],
    '1.28': ['rule', 'messageExpression', 'reason', 'fieldPath'],
    '1.29': Object.keys(rule),
  };
  for (const [release, kept] of Object.entries(keptIn)) {
    it(`are dropped at every depth, and values are not looked into: ${release}`, () => {
      const crd = definitionOf(nested(rule));
      const count = countOf(crd, 'rule');
      assert.ok(count > 10);
      unknownFieldsOf(message, release).now(crd);
      const left = Object.fromEntries(Object.keys(rule).map((name) => [name, countOf(crd, name)]));
      assert.deepEqual(
        left,
        Object.fromEntries(Object.keys(rule).map((name) => [name, kept.includes(name) ? count : 0])),
      );
      assert.equal(countOf(crd, extension), 2 + (kept.length > 0 ? count : 0));
    });
  }

  it('are dropped at every depth while their gate is off, unless the old definition uses one', () => {
    const drop = disabledFieldsOf(schemaOf(message), () => false);
    const crd = definitionOf(nested(rule));
    drop(crd, undefined);
    assert.deepEqual([countOf(crd, 'optionalOldSelf'), countOf(crd, 'rule') > 10], [0, true]);
    const kept = definitionOf(nested(rule));
    drop(kept, definitionOf({ properties: { a: { items: { [extension]: [rule] } } } }));
    assert.equal(countOf(kept, 'optionalOldSelf'), countOf(kept, 'rule'));
  });

  it('are dropped while other requests run, if there are many', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`p${index}`, { type: 'string', [extension]: [{ rule: 'true' }] }]),
    );
    const crd = definitionOf({ properties });
    const pending = unknownFieldsOf(message, '1.20').yielding(crd);
    assert.ok(pending instanceof Promise, 'one turn');
    await pending;
    assert.equal(countOf(crd, extension), 0);
  });
});
