import type { ResourceClaim } from '../../../controllers/resources.ts';
import type { DeviceRequestAllocationResult } from '../../../gen/types/resource-v1.ts';
import type { Condition } from '../../../gen/types/meta-v1.ts';

/**
 * True if all devices of a claim have their binding conditions. Throws if a device has a binding
 * failure condition.
 */
export function isReadyToBind(claim: ResourceClaim): boolean {
  const results = claim.status?.allocation?.devices?.results ?? [];
  return results.every((result) => {
    const { bindingConditions = [], bindingFailureConditions = [] } = result;
    if (bindingConditions.length === 0) return true;
    const present = conditionsOf(claim, result);
    const failed = present.find(({ type, status }) => status === 'True' && bindingFailureConditions.includes(type));
    if (failed) {
      const why = `reason=${failed.reason}, message=${JSON.stringify(failed.message)}`;
      throw new Error(`device binding failed: claim=${claim.metadata.name}, ${why}`);
    }
    return bindingConditions.every((type) => present.some((each) => each.type === type && each.status === 'True'));
  });
}

/** True if a claim has devices with binding conditions, so that its pods are bound later. */
export function hasBindingConditions({ status }: ResourceClaim): boolean {
  const results = status?.allocation?.devices?.results ?? [];
  return results.some(({ bindingConditions = [] }) => bindingConditions.length > 0);
}

/** The conditions in a claim's status about a device. */
function conditionsOf(
  { status }: ResourceClaim,
  { driver, pool, device }: DeviceRequestAllocationResult,
): readonly Condition[] {
  const own = status?.devices?.find((one) => one.driver === driver && one.pool === pool && one.device === device);
  return own?.conditions ?? [];
}
