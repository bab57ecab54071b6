import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type FieldRequirement, parseFieldSelector } from '../../../src/meta/field-selector.ts';

describe('field selector', () => {
  it('demands and excludes values', () => {
    const selector = parseFieldSelector('a=1,b==2,c!=3');
    assert.equal(selector.matches({ a: '1', b: '2', c: '4' }), true);
    assert.equal(selector.matches({ a: '1', b: '2', c: '3' }), false);
  });

  it('takes an absent field for the empty text', () => {
    assert.equal(parseFieldSelector('a=').matches({}), true);
    assert.equal(parseFieldSelector('constructor=').matches({}), true);
  });

  it('passes over terms without field and value', () => {
    assert.equal(parseFieldSelector('=,==,!=').requirements.length, 0);
    assert.equal(parseFieldSelector('=a').requirements.length, 1);
  });

  it('divides a term at its first operator, whatever is before it', () => {
    const [requirement] = parseFieldSelector('a!\\=b').requirements;
    assert.deepEqual(requirement, { field: 'a!\\', operator: '=', value: 'b' });
  });

  it('returns the one name that it requires', () => {
    assert.equal(parseFieldSelector('a=b,metadata.name=x').name, 'x');
    assert.equal(parseFieldSelector('metadata.name!=x').name, undefined);
  });

  it('passes over empty terms', () => assert.equal(parseFieldSelector(',,a=b,').requirements.length, 1));

  const errors: readonly (readonly [selector: string, message: string])[] = [
    ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['z,=,y', "invalid selector: 'z,=,y'; can't understand 'y'"],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
  ];
  for (const [selector, message] of errors) {
    it(`answers 400 to ${selector}`, () => assert.throws(() => parseFieldSelector(selector), { message, code: 400 }));
  }

  it('reads every value whose special characters are escaped', () => {
    const requirement = fc.record(
      {
        field: fc.stringMatching(/^[a-z.]{1,9}$/),
        operator: fc.constantFrom('=' as const, '!=' as const),
        value: fc.string({ unit: fc.constantFrom(...Array.from('ab,=\\! ')) }),
      },
      { noNullPrototype: true },
    );
    const textOf = ({ field, operator, value }: FieldRequirement): string =>
      `${field}${operator}${value.replaceAll(/[\\,=]/g, '\\$&')}`;
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const inOrder = requirements.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
        assert.deepEqual(parseFieldSelector(requirements.map(textOf).join(',')).requirements, inOrder);
      }),
    );
  });
});
