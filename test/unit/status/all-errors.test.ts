import assert from 'node:assert/strict';
import { allErrors, errorsOfEach, noErrors } from '../../../src/status/all-errors.ts';
import { required } from '../../../src/status/field-error.ts';

const [a, b, c] = [required('a'), required('b'), required('c')];

describe('the errors of several rules', () => {
  it('stand in the order of the rules', () => {
    assert.deepEqual(allErrors([a, b], noErrors, [c]), [a, b, c]);
  });

  it('leave what each rule has found as it was', () => {
    const found = [a];
    allErrors(found, [b]);
    assert.deepEqual(found, [a]);
  });

  it('are one list where there are none', () => {
    assert.equal(allErrors([], noErrors), noErrors);
  });

  it('of each of several things stand in the order of the things', () => {
    const errors = errorsOfEach(['x', 'y', 'z'], (item, index) => (item === 'y' ? [] : [required(`${item}${index}`)]));
    assert.deepEqual(
      errors.map(({ field }) => field),
      ['x0', 'z2'],
    );
  });
});
