import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { makeObjectAt, objectAt, objectsAt, setDefault, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { validateLimitRange } from './validate.ts';

/** The strategy of limit ranges. */
export const strategy: Strategy = {
  randomNames: true,
  default: defaultLimitRange,
  validate: validateLimitRange,
  allowCreateOnUpdate: true,
};

/**
 * Fills in the defaults of containers: `default` from `max`, then `defaultRequest` from `default`
 * and from `min`. Mutates.
 */
function defaultLimitRange(limitRange: JsonObject): void {
  for (const limit of objectsAt(objectAt(limitRange, 'spec'), 'limits')) {
    if (stringAt(limit, 'type') !== 'Container') continue;
    fill(limit, 'default', 'max');
    fill(limit, 'defaultRequest', 'default');
    fill(limit, 'defaultRequest', 'min');
  }
}

function fill(limit: JsonObject, target: string, source: string): void {
  for (const [name, amount] of stringEntriesAt(limit, source)) setDefault(makeObjectAt(limit, target), name, amount);
}
