import type { ResourceQuota } from '../../gen/types/core-v1.ts';
import { compareQuantities, normaliseQuantity, parseQuantity } from '../../meta/quantity.ts';

/** Warnings about requests that are above the limit of the same resource. */
export function quotaWarnings({ spec = {} }: ResourceQuota): readonly string[] {
  const { hard = {} } = spec;
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((resource) => {
    const isBare = resource === 'cpu' || resource === 'memory';
    const request = hard[`requests.${resource}`] === undefined && isBare ? resource : `requests.${resource}`;
    const limit = `limits.${resource}`;
    const [requested, limited] = [hard[request], hard[limit]];
    if (requested === undefined || limited === undefined) return [];
    const [left, right] = [parseQuantity(requested), parseQuantity(limited)];
    if ('error' in left || 'error' in right || compareQuantities(left, right) <= 0) return [];
    return [
      `ResourceQuota ${request} (${normaliseQuantity(requested)}) should be less than ${limit} (${normaliseQuantity(limited)})`,
    ];
  });
}
