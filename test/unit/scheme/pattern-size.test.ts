import assert from 'node:assert/strict';
import { patternError } from '../../../src/apiextensions/customresourcedefinitions/pattern.ts';
import { patternSize } from '../../../src/scheme/structural/pattern-size.ts';

const sizes: readonly (readonly [pattern: string, size: number])[] = [
  ['', 0],
  ['abc', 3],
  ['\\d\\.', 4],
  ['[a-z]x', 6],
  ['a{3}', 3],
  ['ab{2,4}', 5],
  ['(ab){3}', 9],
  ['((ab){3}){2}', 20],
  ['a{', 2],
  ['[{3}]', 5],
];

const errors: readonly (readonly [pattern: string, error: string | undefined])[] = [
  ['^[a-z]+(?:-[a-z]+)*$', undefined],
  ['(?P<name>a)', undefined],
  ['(?i)a', undefined],
  ['\\pL', undefined],
  ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ['(a)\\1', 'error parsing regexp: invalid escape sequence: `\\1`'],
  ['\\u0041', 'error parsing regexp: invalid escape sequence: `\\u`'],
  ['x{1001}', 'error parsing regexp: invalid repeat count: `{1001}`'],
  ['x{1,1001}', 'error parsing regexp: invalid repeat count: `{1,1001}`'],
  ['(a', 'error parsing regexp: missing closing ): `(a`'],
];

describe('the size of a pattern', () => {
  for (const [pattern, size] of sizes) {
    it(`counts the repetitions of ${JSON.stringify(pattern)}`, () => assert.equal(patternSize(pattern), size));
  }
});

describe('the error of a pattern', () => {
  for (const [pattern, error] of errors) {
    it(`is worded as by Go for ${JSON.stringify(pattern)}`, () => assert.equal(patternError(pattern), error));
  }
});
