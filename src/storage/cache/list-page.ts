import { compareKeys } from '../port/key-order.ts';
import { countRange, keyRange, objectsIn, type ObjectTree } from '../objects/object-tree.ts';
import type { ListedObjects, ObjectFilter, SelectionTerms } from './resource-cache.ts';
import type { CachedObject } from '../objects/cached-object.ts';
import { scanDecoded, scanPortions } from '../objects/yielding-scan.ts';

/** The objects of a snapshot that a list selects. */
export interface PageQuery {
  /** The prefix of the keys; ends in `/`. */
  readonly prefix: string;
  /** Selects only objects of this name. */
  readonly name: string | undefined;
  /** The key, if the query can select only one. */
  readonly key: string | undefined;
  readonly filter: ObjectFilter | undefined;
  readonly terms: SelectionTerms | undefined;
  readonly limit: number;
  readonly afterKey: string | undefined;
}

/** A page of a snapshot. */
interface SnapshotPage extends ListedObjects {
  readonly objects: readonly CachedObject[];
}

/** Objects of a snapshot that a query may select, in key order, after its `afterKey`. */
export interface Candidates {
  readonly objects: readonly CachedObject[];
  /** True if the query selects all of them. */
  readonly selected: boolean;
}

/** Returns a page of a snapshot. With a filter, `limit` counts the selected objects. */
export async function listPage(
  tree: ObjectTree,
  revision: number,
  query: PageQuery,
  candidates?: Candidates,
  signal?: AbortSignal,
): Promise<SnapshotPage> {
  if (query.key !== undefined) return onePage(tree.get(query.key), revision, query);
  if (!query.filter && query.name === undefined) return plainPage(tree, revision, query);
  if (!candidates)
    return filteredPage(scanPortions(tree, keyRange(query.prefix, query.afterKey), signal), revision, query);
  const { objects, selected } = candidates;
  if (!selected || query.name !== undefined) return filteredPage(scanDecoded(objects, signal), revision, query);
  const page = query.limit > 0 ? objects.slice(0, query.limit) : objects;
  const lastKey = page.length < objects.length ? page.at(-1)?.key : undefined;
  return { revision, objects: page, lastKey, remaining: undefined };
}

/** True if an object matches the name and filter of a query; its key range is not checked. */
export function isSelected(
  { name, filter }: { readonly name?: string | undefined; readonly filter?: ObjectFilter | undefined },
  object: CachedObject,
): boolean {
  return (name === undefined || name === object.name) && (!filter || filter(object.index(), object));
}

/** The page of a query for one key. */
export function onePage(object: CachedObject | undefined, revision: number, query: PageQuery): SnapshotPage {
  const behind = query.afterKey === undefined || (object && compareKeys(object.key, query.afterKey) > 0);
  const objects = object && behind && isSelected(query, object) ? [object] : [];
  return { revision, objects, lastKey: undefined, remaining: undefined };
}

function plainPage(tree: ObjectTree, revision: number, { prefix, limit, afterKey }: PageQuery): SnapshotPage {
  const objects = objectsIn(tree, keyRange(prefix, afterKey), limit);
  const last = objects.at(-1);
  const remaining = limit > 0 && objects.length === limit && last ? countRange(tree, keyRange(prefix, last.key)) : 0;
  if (remaining === 0) return { revision, objects, lastKey: undefined, remaining: undefined };
  return { revision, objects, lastKey: last?.key, remaining };
}

async function filteredPage(
  portions: AsyncIterable<readonly CachedObject[]>,
  revision: number,
  query: PageQuery,
): Promise<SnapshotPage> {
  const objects: CachedObject[] = [];
  const { limit } = query;
  for await (const some of portions) {
    for (const object of some) {
      if (!isSelected(query, object)) continue;
      // One selected object beyond the limit shows that more remain.
      if (limit > 0 && objects.length === limit) {
        return { revision, objects, lastKey: objects.at(-1)?.key, remaining: undefined };
      }
      objects.push(object);
    }
  }
  return { revision, objects, lastKey: undefined, remaining: undefined };
}
