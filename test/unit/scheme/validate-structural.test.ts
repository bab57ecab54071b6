import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { validateStructural } from '../../../src/scheme/structural/validate-structural.ts';

const whole = { type: 'integer' };
const text = { type: 'string' };
const short = { maxLength: 2 };

/** A schema, a value, and the errors that it has. */
const cases: readonly (readonly [title: string, schema: JsonObject, value: JsonValue, errors: readonly string[]])[] = [
  ['one of several alternatives', { anyOf: [whole, text] }, 'x', []],
  [
    'none of several alternatives, with the errors of the first',
    { anyOf: [whole, short] },
    'xyz',
    [
      `p: Invalid value: "": "" must validate at least one schema (anyOf)`,
      'p: Invalid value: "string":  in body must be of type integer: "string"',
    ],
  ],
  [
    'two of alternatives that exclude each other',
    { oneOf: [text, short] },
    'x',
    ['p: Invalid value: "": "" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
  ],
  [
    'none of alternatives that exclude each other',
    { oneOf: [whole, { anyOf: [whole] }] },
    'x',
    [
      'p: Invalid value: "": "" must validate one and only one schema (oneOf). Found none valid',
      'p: Invalid value: "string":  in body must be of type integer: "string"',
    ],
  ],
  [
    'one of several demands',
    { allOf: [text, short] },
    'xyz',
    [
      'p: Invalid value: "xyz":  in body should be at most 2 chars long',
      'p: Invalid value: "": "" must validate all the schemas (allOf)',
    ],
  ],
  [
    'what must not be',
    { not: { anyOf: [text] } },
    'x',
    [`p: Invalid value: "": "" must not validate the schema (not)`],
  ],
  ['what is not what must not be', { not: { anyOf: [whole] } }, 'x', []],
];

const shown = (schema: JsonObject, value: JsonValue): readonly string[] =>
  validateStructural(schema, value, { base: 'p' }).map(({ field, message }) => `${field}: ${message}`);

describe('the combinations of a structural schema', () => {
  for (const [title, schema, value, errors] of cases) {
    it(`judge ${title}`, () => {
      assert.deepEqual(shown(schema, value), errors);
    });
  }

  it('may have a format with the name of a member of all objects', () => {
    for (const format of ['constructor', '__proto__']) {
      const numbers = [whole, { type: 'number' }].map((schema) => ({ ...schema, format }));
      assert.deepEqual(
        numbers.flatMap((schema) => validateStructural(schema, 1, { isDetailed: true })),
        [],
      );
    }
  });

  it('inside each other cost little more than their number', () => {
    let schema: JsonObject = whole;
    for (let depth = 0; depth < 50; depth++) schema = { anyOf: [schema] };
    const errors = shown(schema, 'x');
    assert.equal(errors.length, 51);
    assert.ok(!errors.some((error) => error.includes('too many values')), errors.at(-1));
  });
});
