import type { JsonObject } from '../../../meta/json-value.ts';
import { parseQuantity } from '../../../meta/quantity.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { containersOf } from './default.ts';

/** The resources that decide the quality of service. */
const computeResources = ['cpu', 'memory'];

/**
 * The quality-of-service class. Guaranteed: every container has limits for all compute resources,
 * equal to its requests. BestEffort: no container has requests or limits. Burstable: all others.
 */
export function qualityOfService(spec: JsonObject): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const containers = containersOf(spec).map((container) => objectAt(container, 'resources'));
  const amounts = containers.flatMap((resources) =>
    computeResources.map((name) => ({
      request: amountOf(objectAt(resources, 'requests'), name),
      limit: amountOf(objectAt(resources, 'limits'), name),
    })),
  );
  if (amounts.every(({ request, limit }) => request === 0n && limit === 0n)) return 'BestEffort';
  return amounts.every(({ request, limit }) => limit > 0n && request === limit) ? 'Guaranteed' : 'Burstable';
}

function amountOf(resources: JsonObject, name: string): bigint {
  const quantity = parseQuantity(stringAt(resources, name));
  return 'error' in quantity ? 0n : quantity.nanos;
}
