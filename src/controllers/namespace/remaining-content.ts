import type { PartialObjectMetadata } from '../../client/api-object.ts';
import type { DiscoveredResource } from '../../client/discovery.ts';

/** The objects of one kind that are still in a namespace. */
export interface RemainingContent {
  readonly resource: DiscoveredResource;
  readonly objects: readonly PartialObjectMetadata[];
}

/** The number of objects that have each finalizer. */
export function finalizerCounts(remaining: readonly RemainingContent[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { metadata } of remaining.flatMap(({ objects }) => objects)) {
    for (const finalizer of metadata.finalizers ?? []) counts.set(finalizer, (counts.get(finalizer) ?? 0) + 1);
  }
  return counts;
}
