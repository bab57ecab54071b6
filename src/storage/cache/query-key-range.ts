import type { PageQuery } from './list-page.ts';
import { isSafeSegment, keyInResource, namespacePrefix } from '../port/object-key.ts';
import { type KeyRange, keyRange } from '../objects/object-tree.ts';
import type { CacheListQuery } from './resource-cache.ts';

/** The key range of a list query. `resourcePrefix` is the key prefix of the resource. */
export function pageQueryOf(resourcePrefix: string, query: CacheListQuery): PageQuery {
  const { namespace, name, filter, terms, limit, afterKey } = query;
  const key = queriedKey(resourcePrefix, namespace, name);
  return { prefix: namespacePrefix(resourcePrefix, namespace), key, name, filter, terms, limit, afterKey };
}

/** The keys of a namespace ('' is all of them), or of one object in it. */
export function queryKeyRange(resourcePrefix: string, namespace: string, name: string | undefined): KeyRange {
  const key = queriedKey(resourcePrefix, namespace, name);
  return key === undefined ? keyRange(namespacePrefix(resourcePrefix, namespace)) : { from: key, to: `${key}\0` };
}

/**
 * The only key that a query can match; undefined if there may be several. Undefined also for a name
 * that no object can have: the scan then finds nothing.
 */
function queriedKey(resourcePrefix: string, namespace: string, name: string | undefined): string | undefined {
  if (namespace === '' || name === undefined || !isSafeSegment(name)) return undefined;
  return keyInResource(resourcePrefix, namespace, name);
}
