import { union } from './field-set.ts';
import type { Manager } from './managed-fields.ts';

/**
 * The maximum number of separate managers with the operation Update. Without a limit, a controller
 * that changes its name would grow every object.
 */
const updaterLimit = 10;

/** The manager of all merged entries. The name is part of the protocol. */
const ancientName = 'ancient-changes';

/**
 * Merges the oldest Update managers of each version into one until at most ten Update managers are
 * left. Apply managers are never merged.
 */
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

/** Merges two entries. The time is that of `updater`, the later one. */
function merged(first: Manager, updater: Manager): Manager {
  return { ...updater, name: ancientName, subresource: '', fields: union(first.fields, updater.fields) };
}
