import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { countOf } from '../../../kinds/core/amounts.ts';
import type { DeviceSubRequest, ResourceClaim } from '../../../gen/stored/resource-v1.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

/** The most devices of a claim. A request for all devices is charged as this many. */
const mostDevices = 32;

/** A request for devices, or one of its alternatives. */
type DeviceAlternative = Pick<DeviceSubRequest, 'deviceClassName' | 'allocationMode' | 'count'>;

/**
 * The quota use of ResourceClaims: their number, and the most devices that they may get of each
 * class.
 */
export function deviceEvaluator({ apiDomain }: Identifiers): QuotaEvaluator<ResourceClaim> {
  const objectCount = `count/resourceclaims.resource.${apiDomain}`;
  const suffix = `.deviceclass.resource.${apiDomain}/devices`;
  return {
    operations: ['CREATE', 'UPDATE'],
    uses: (resource) => resource === objectCount || resource.endsWith(suffix),
    usageOf: ({ spec }) => {
      const counts = new Map<string, number>();
      for (const { exactly, firstAvailable = [] } of spec.devices?.requests ?? []) {
        const alternatives = firstAvailable.length > 0 ? firstAvailable : exactly ? [exactly] : [];
        for (const [name, count] of mostOfEach(alternatives)) counts.set(name, (counts.get(name) ?? 0) + count);
      }
      const devices = [...counts].map(([name, count]) => [`${name}${suffix}`, countOf(count)] as const);
      return new Map([[objectCount, countOf(1)], ...devices]);
    },
  };
}

/** The devices of each class in the alternative that requests most of them. */
function mostOfEach(alternatives: readonly DeviceAlternative[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const asked of alternatives) {
    const { deviceClassName } = asked;
    most.set(deviceClassName, Math.max(most.get(deviceClassName) ?? 0, countIn(asked)));
  }
  return most;
}

function countIn({ allocationMode, count }: DeviceAlternative): number {
  if (allocationMode === 'All') return mostDevices;
  return allocationMode === 'ExactCount' ? Number(count ?? 0) : 0;
}
