import { checkSignal } from './check-arguments.ts';
import { compareKeys } from './key-order.ts';
import { countRange, keyRange, objectsIn, type KeyRange, type ObjectTree } from './object-tree.ts';
import type { CacheList, ObjectFilter } from './resource-cache.ts';
import type { SplicedObject } from './spliced-object.ts';

/** Which objects of a snapshot a list wants. */
export interface PageQuery {
  /** What the keys begin with; ends in `/`. */
  readonly prefix: string;
  /** Only objects of this name. */
  readonly name: string | undefined;
  /** The key of the one object that is wanted, where it is known. */
  readonly key: string | undefined;
  readonly filter: ObjectFilter | undefined;
  readonly limit: number;
  readonly afterKey: string | undefined;
}

/** So many objects are looked at before others get their turn: a selector's first look at an object decodes it. */
const objectsPerTurn = 256;

/** A page of a snapshot. With a filter it is filled, not thinned: `limit` counts selected objects. */
export async function listPage(
  tree: ObjectTree,
  revision: number,
  query: PageQuery,
  signal?: AbortSignal,
): Promise<CacheList> {
  if (query.key !== undefined) return onePage(tree.get(query.key), revision, query);
  return query.filter || query.name !== undefined
    ? filteredPage(tree, revision, query, signal)
    : plainPage(tree, revision, query);
}

/** Whether an object is what a query asks for, its place aside. */
export function isSelected(
  { name, filter }: { readonly name?: string | undefined; readonly filter?: ObjectFilter | undefined },
  object: SplicedObject,
): boolean {
  return (name === undefined || name === object.name) && (!filter || filter(object.index()));
}

/** The page of a query for one key. */
export function onePage(object: SplicedObject | undefined, revision: number, query: PageQuery): CacheList {
  const behind = query.afterKey === undefined || (object && compareKeys(object.key, query.afterKey) > 0);
  const objects = object && behind && isSelected(query, object) ? [object] : [];
  return { revision, objects, lastKey: undefined, remaining: undefined };
}

function plainPage(tree: ObjectTree, revision: number, { prefix, limit, afterKey }: PageQuery): CacheList {
  const objects = objectsIn(tree, keyRange(prefix, afterKey), limit);
  const last = objects.at(-1);
  const remaining = limit > 0 && objects.length === limit && last ? countRange(tree, keyRange(prefix, last.key)) : 0;
  if (remaining === 0) return { revision, objects, lastKey: undefined, remaining: undefined };
  return { revision, objects, lastKey: last?.key, remaining };
}

async function filteredPage(
  tree: ObjectTree,
  revision: number,
  query: PageQuery,
  signal: AbortSignal | undefined,
): Promise<CacheList> {
  const objects: SplicedObject[] = [];
  const { prefix, limit, afterKey } = query;
  for await (const some of turns(tree, keyRange(prefix, afterKey), signal)) {
    for (const object of some) {
      if (!isSelected(query, object)) continue;
      // One more than fits says that objects remain.
      if (limit > 0 && objects.length === limit) {
        return { revision, objects, lastKey: objects.at(-1)?.key, remaining: undefined };
      }
      objects.push(object);
    }
  }
  return { revision, objects, lastKey: undefined, remaining: undefined };
}

/** The objects of a range in portions, with a turn of the event loop between them. The tree must be a snapshot. */
export async function* turns(
  tree: ObjectTree,
  range: KeyRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly SplicedObject[]> {
  for (let from: string | undefined = range.from; from !== undefined; ) {
    checkSignal(signal);
    const some = objectsIn(tree, { from, to: range.to }, objectsPerTurn);
    if (some.length > 0) yield some;
    const last = some.length === objectsPerTurn ? some.at(-1) : undefined;
    from = last && `${last.key}\0`;
    if (from) await new Promise((resolve) => setImmediate(resolve));
  }
}
