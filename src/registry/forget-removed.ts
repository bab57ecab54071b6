import type { StorageLocation } from '../storage/object-key.ts';
import type { Catalogue } from './catalogue.ts';
import type { LiveCatalogue } from './live-catalogue.ts';
import type { ResourceDefinition, StorageDefinition } from './resource-definition.ts';

/** What is kept of the objects of stored resources. */
interface StoredCaches {
  /** Ends the watches of a resource and lets its memory go. */
  remove(location: StorageLocation): void;
}

/**
 * Gives up the cache of a resource that is removed, as soon as no other is stored in its place; and of one that is replaced by
 * one with other selectable fields, whose index would be wrong.
 */
export function forgetRemoved(catalogue: LiveCatalogue, caches: StoredCaches): void {
  catalogue.onChange(({ removed, catalogue: current }) => {
    if (removed?.storage && !isKept(current, removed, removed.storage)) caches.remove(removed.storage);
  });
}

function isKept({ resources }: Catalogue, { strategy }: ResourceDefinition, storage: StorageDefinition): boolean {
  return resources.some(
    (other) =>
      other.storage?.group === storage.group &&
      other.storage.resource === storage.resource &&
      other.strategy.fieldsOf === strategy.fieldsOf,
  );
}
