import type { PodSecurityPolicy } from '../../../gen/stored/policy-v1beta1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { validatePolicy } from './validate.ts';

/** The strategy of pod security policies. */
export const strategy: Strategy<PodSecurityPolicy> = {
  returnsDeletedObject: true,
  default: ({ spec }) => {
    spec.allowPrivilegeEscalation ??= true;
  },
  prepareForCreate: dropProcMounts,
  prepareForUpdate: dropProcMounts,
  validate: validatePolicy,
};

/**
 * Removes `allowedProcMountTypes`: its feature gate was off by default in all releases with this
 * kind. Mutates.
 */
function dropProcMounts({ spec }: PodSecurityPolicy): void {
  delete spec.allowedProcMountTypes;
}
