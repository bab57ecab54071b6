import type { FindNamespace, NamespaceState } from '../admission/plugins/namespace-lifecycle.ts';
import type { CachedObject } from '../storage/cached-object.ts';
import type { ResourceCache } from '../storage/resource-cache.ts';
import { atStorageBorder } from './storage-status.ts';

/**
 * Looks namespaces up in their cache, and again in the store where the cache does not know one: it may be newer than the
 * cache, and a create that follows it at once must not fail.
 */
export function findNamespaceIn(cache: ResourceCache): FindNamespace {
  return async (name, signal) => {
    const known = cache.peek('', name);
    if (known) return stateOf(known);
    const context = { subject: { group: '', resource: 'namespaces' }, name };
    const { object } = await atStorageBorder(context, () => cache.get('', name, { kind: 'latest' }, signal));
    return object && stateOf(object);
  };
}

/** The phase is a selectable field, so that it is read from the object once and not for every create. */
function stateOf(namespace: CachedObject): NamespaceState {
  return { terminating: namespace.index().fields.get('status.phase') === 'Terminating' };
}
