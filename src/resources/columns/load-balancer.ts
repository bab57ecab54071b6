import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';

/** The addresses or host names of a status with a load balancer, sorted, each once. */
export function loadBalancerAddresses(object: JsonObject): readonly string[] {
  const points = objectsAt(objectAt(object, 'status', 'loadBalancer'), 'ingress');
  const addresses = points.map((point) => stringAt(point, 'ip') || stringAt(point, 'hostname'));
  return [...new Set(addresses)].filter((address) => address !== '').toSorted();
}
