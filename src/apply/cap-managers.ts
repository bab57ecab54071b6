import { union } from './field-set.ts';
import type { Manager } from './managed-fields.ts';

/** So many managers that update are kept apart; a controller that renames itself would else grow every object. */
const updaterLimit = 10;

/** The manager that stands for those that were merged. The name is part of the protocol. */
const ancientName = 'ancient-changes';

/** Merges the oldest updaters of each version into one until at most ten are left. Appliers are never merged. */
export function capManagers(managers: readonly Manager[]): readonly Manager[] {
  let excess = managers.filter((manager) => manager.operation === 'Update').length - updaterLimit;
  if (excess <= 0) return managers;
  const kept = new Set(managers);
  const buckets = new Map<string, Manager>();
  for (const updater of oldestFirst(managers)) {
    if (excess <= 0) break;
    const first = buckets.get(updater.apiVersion);
    kept.delete(updater);
    if (first) {
      kept.delete(first);
      excess--;
    }
    const bucket = first ? merged(first, updater) : updater;
    buckets.set(updater.apiVersion, bucket);
    kept.add(bucket);
  }
  return [...kept];
}

function oldestFirst(managers: readonly Manager[]): Manager[] {
  return managers
    .filter((manager) => manager.operation === 'Update')
    .toSorted((a, b) => (a.time === b.time ? (a.name < b.name ? -1 : 1) : a.time < b.time ? -1 : 1));
}

/** The time is the later one's, whose fields are the newest in the merged entry. */
function merged(first: Manager, updater: Manager): Manager {
  return { ...updater, name: ancientName, subresource: '', fields: union(first.fields, updater.fields) };
}
