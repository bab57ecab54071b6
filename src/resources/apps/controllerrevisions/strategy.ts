import { getOwn } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { required } from '../../../status/field-error.ts';
import { isSet, numberAt } from '../../../meta/read-field.ts';
import { checkNotNegative } from '../../rules/check.ts';
import { checkImmutable } from '../../rules/immutable.ts';

/** Controller revisions: a state that a controller can go back to, so its data stays as it was. */
export const definition: ResourceDefinition = {
  group: 'apps',
  resource: 'controllerrevisions',
  strategy: {
    validate: (revision) => [
      ...(isSet(revision, 'data') ? [] : [required('data', 'data is mandatory')]),
      ...checkNotNegative('revision', numberAt(revision, 'revision')),
    ],
    validateUpdate: (revision, old) => checkImmutable('data', getOwn(revision, 'data'), getOwn(old, 'data')),
  },
};
