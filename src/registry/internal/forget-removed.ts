import type { StorageLocation } from '../../storage/port/object-key.ts';
import type { Catalogue } from '../definition/catalogue.ts';
import type { LiveCatalogue } from '../definition/live-catalogue.ts';
import type { ResourceDefinition, StorageDefinition } from '../definition/resource-definition.ts';

/** The caches of stored resources. */
interface StoredCaches {
  /** Ends the watches of a resource and frees its cache. */
  remove(location: StorageLocation): void;
}

/**
 * Drops the cache of a removed resource if no other resource has the same storage and the same
 * selectable fields. A replacement with other selectable fields drops it too, because its indexes
 * would be wrong.
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
