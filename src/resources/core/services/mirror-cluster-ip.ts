import type { Service } from '../../../gen/stored/core-v1.ts';

/**
 * Fills in `clusterIPs` from `clusterIP`, or the other way: clients and mutating webhooks may write
 * either, and own what they wrote alone. Mutates `service`.
 */
export function mirrorClusterIp({ spec }: Service): void {
  const [first] = spec.clusterIPs ?? [];
  if (spec.clusterIP && first === undefined) spec.clusterIPs = [spec.clusterIP];
  else if (spec.clusterIP === undefined && first !== undefined) spec.clusterIP = first;
}
