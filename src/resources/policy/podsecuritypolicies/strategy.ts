import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { makeObjectAt, objectAt, setDefault } from '../../../meta/read-field.ts';
import { validatePolicy } from './validate.ts';

/** The strategy of pod security policies. */
export const strategy: Strategy = {
  returnsDeletedObject: true,
  default: (policy) => setDefault(makeObjectAt(policy, 'spec'), 'allowPrivilegeEscalation', true),
  prepareForCreate: dropProcMounts,
  prepareForUpdate: dropProcMounts,
  validate: validatePolicy,
};

/**
 * Removes `allowedProcMountTypes`: its feature gate was off by default in all releases with this
 * kind. Mutates.
 */
function dropProcMounts(policy: JsonObject): void {
  delete objectAt(policy, 'spec')['allowedProcMountTypes'];
}
