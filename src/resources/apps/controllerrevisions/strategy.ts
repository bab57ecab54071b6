import { equalValues } from '../../../apply/equal-values.ts';
import { getOwn } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { invalid, required } from '../../../status/field-error.ts';
import { isSet, numberAt } from '../../../meta/read-field.ts';
import { checkNotNegative } from '../../rules/fields/check.ts';

/** The strategy of controller revisions. Their data are immutable. */
export const strategy: Strategy = {
  validate: (revision) => [
    ...(isSet(revision, 'data') ? [] : [required('data', 'data is mandatory')]),
    ...checkNotNegative('revision', numberAt(revision, 'revision')),
  ],
  validateUpdate: (revision, old) => {
    const [data = null, oldData = null] = [getOwn(revision, 'data'), getOwn(old, 'data')];
    return equalValues(data, oldData) ? [] : [invalid('data', data, 'field is immutable')];
  },
};
