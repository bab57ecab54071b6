import type { JsonObject } from '../../../meta/json-value.ts';
import { parseQuantity } from '../../../meta/quantity.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { containersOf } from './default.ts';

/** The resources that decide the class. */
const computeResources = ['cpu', 'memory'];

/**
 * The class by which a node chooses what to evict first: Guaranteed when every container limits all compute resources
 * to what it requests, BestEffort when none asks for anything, else Burstable.
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
