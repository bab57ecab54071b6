import assert from 'node:assert/strict';
import { duplicate, invalid, notSupported } from '../../../src/status/field-error.ts';
import { shownValue } from '../../../src/status/shown-value.ts';

describe('refused values in messages', () => {
  const shown: readonly (readonly [unknown, string])[] = [
    ['a "b"\n', '"a \\"b\\"\\n"'],
    ['<é 語 🙂>', '"<é 語 🙂>"'],
    [12, '12'],
    [9_007_199_254_740_993n, '9007199254740993'],
    [null, 'null'],
    [undefined, 'null'],
    [[], '[]'],
    [['a', 'b'], '["a","b"]'],
    [{ b: { c: true }, a: undefined }, '{"b":{"c":true}}'],
  ];
  for (const [value, text] of shown) {
    it(`are JSON: ${text}`, () => assert.equal(shownValue(value), text));
  }

  it('are cut, with three dots', () => {
    assert.equal(shownValue('abcdef', 4), '"abc...');
    assert.equal(shownValue({ list: ['abc', 'def'] }, 12), '{"list":["ab...');
  });

  it('stand before what is wrong with them', () => {
    assert.equal(invalid('x', { a: 1 }, 'field is immutable').message, 'Invalid value: {"a":1}: field is immutable');
    assert.equal(notSupported('x', 'a', ['b', 'c']).message, 'Unsupported value: "a": supported values: "b", "c"');
    assert.equal(duplicate('x', ['a']).message, 'Duplicate value: ["a"]');
  });
});
