import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { makeObjectAt, objectAt, setDefault } from '../../../meta/read-field.ts';
import { validatePolicy } from './validate.ts';

/** Pod security policies. */
export const strategy: Strategy = {
  returnsDeletedObject: true,
  default: (policy) => setDefault(makeObjectAt(policy, 'spec'), 'allowPrivilegeEscalation', true),
  prepareForCreate: dropProcMounts,
  prepareForUpdate: dropProcMounts,
  validate: validatePolicy,
};

/** How `/proc` is mounted was behind a gate that no release opened by default before the kind was gone. Mutates. */
function dropProcMounts(policy: JsonObject): void {
  delete objectAt(policy, 'spec')['allowedProcMountTypes'];
}
