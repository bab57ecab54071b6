import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, makeObjectAt, stringAt, stringsAt } from '../../../meta/read-field.ts';

/**
 * Fills in `clusterIPs` from `clusterIP`, or the other way: clients and mutating webhooks may write
 * either, and own what they wrote alone. Mutates `service`.
 */
export function mirrorClusterIp(service: JsonObject): void {
  const spec = makeObjectAt(service, 'spec');
  const clusterIp = stringAt(spec, 'clusterIP');
  const [first] = stringsAt(spec, 'clusterIPs');
  if (clusterIp !== '' && first === undefined) spec['clusterIPs'] = [clusterIp];
  else if (clusterIp === '' && first !== undefined && !isSet(spec, 'clusterIP')) spec['clusterIP'] = first;
}
