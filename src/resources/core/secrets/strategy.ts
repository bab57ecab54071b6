import type { Strategy } from '../../../registry/strategy.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { defaultSecret } from './default.ts';
import { validateSecret } from './validate.ts';

/** The strategy of Secrets (spec 2.4, 4.4). */
export const strategy: Strategy = {
  default: defaultSecret,
  validate: (secret, { identifiers }, old) => validateSecret(secret, identifiers, old),
  selectableFields: ['type'],
  fieldsOf: (secret) => ({ type: stringAt(secret, 'type') }),
};
