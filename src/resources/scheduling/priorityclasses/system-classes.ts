import type { JsonObject } from '../../../meta/json-value.ts';

/** The names and priorities of the system classes, which every cluster has. */
export const systemClasses: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

const descriptions: ReadonlyMap<string, string> = new Map([
  ['system-node-critical', 'Used for system critical pods that must not be moved from their current node.'],
  [
    'system-cluster-critical',
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ],
]);

/** The system classes as objects, which the server creates. */
export function systemPriorityClasses(): readonly JsonObject[] {
  return [...systemClasses].map(([name, value]) => ({
    metadata: { name },
    value,
    description: descriptions.get(name) ?? '',
  }));
}
