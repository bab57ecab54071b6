import assert from 'node:assert/strict';
import { type FieldError, invalid, required } from '../../../src/status/field-error.ts';
import { invalidObject } from '../../../src/status/status-error.ts';

const refused = (errors: readonly FieldError[]) => {
  const { message, details } = invalidObject({ group: '', resource: 'Pod' }, 'p', errors);
  const fields = details?.causes?.map(({ field, reason }) => `${field} ${reason}`);
  return { fields, message: message.slice('Pod "p" is invalid: '.length) };
};

describe('the refusal of an object', () => {
  it('reports each mistake once, where it was found first', () => {
    const errors = [invalid('b', 1, 'x'), required('a'), invalid('b', 1, 'x'), required('a')];
    assert.deepEqual(refused(errors), {
      fields: ['b FieldValueInvalid', 'a FieldValueRequired'],
      message: '[b: Invalid value: 1: x, a: Required value]',
    });
  });

  it('is written plainly where one mistake is found twice', () => {
    assert.equal(refused([required('a'), required('a')]).message, 'a: Required value');
  });

  it('reports two mistakes of one field', () => {
    const { fields } = refused([invalid('a', 1, 'x'), invalid('a', 1, 'y')]);
    assert.equal(fields?.length, 2);
  });

  it('shows a hundred mistakes among repeats, and counts the errors after them', () => {
    const errors = Array.from({ length: 150 }, (_, index) => [required(`a${index}`), required('b')]).flat();
    const { fields, message } = refused(errors);
    assert.equal(fields?.length, 100);
    assert.match(message, /a98: Required value, and 102 more\]$/);
  });

  it('writes a thousand errors at most', () => {
    let written = 0;
    const error = (): FieldError => ({
      reason: 'FieldValueInvalid',
      field: 'a',
      get message() {
        written += 1;
        return 'x';
      },
    });
    assert.equal(refused(Array.from({ length: 5000 }, error)).message, '[a: x, and 4000 more]');
    assert.equal(written, 1000);
  });
});
