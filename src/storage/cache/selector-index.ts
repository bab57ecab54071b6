import type { CachedObject } from '../objects/cached-object.ts';
import { isInRange, type KeyRange, mergeByKey, ObjectTree, objectsIn } from '../objects/object-tree.ts';
import type { SelectionTerm } from './resource-cache.ts';

/** A label or a field by name. */
export type TermKey = Pick<SelectionTerm, 'kind' | 'name'>;

/**
 * The objects of one resource by their value of one label or field. A value with one object holds
 * it without a tree.
 */
export class SelectorIndex {
  readonly #term: TermKey;
  readonly #byValue = new Map<string, ObjectTree | CachedObject>();
  /** The revision of the indexed state. */
  revision: number;

  constructor(term: TermKey, revision: number) {
    this.#term = term;
    this.revision = revision;
  }

  add(object: CachedObject): void {
    const value = termValue(this.#term, object);
    if (value === undefined) return;
    const found = this.#byValue.get(value);
    if (!found) {
      this.#byValue.set(value, object);
    } else if (found instanceof ObjectTree) {
      found.set(object);
    } else if (found.key === object.key) {
      this.#byValue.set(value, object);
    } else {
      const tree = new ObjectTree();
      tree.set(found);
      tree.set(object);
      this.#byValue.set(value, tree);
    }
  }

  remove(object: CachedObject): void {
    const value = termValue(this.#term, object);
    if (value === undefined) return;
    const found = this.#byValue.get(value);
    if (found instanceof ObjectTree) {
      found.delete(object.key);
      if (found.size === 0) this.#byValue.delete(value);
    } else if (found?.key === object.key) this.#byValue.delete(value);
  }

  /** The number of objects that have one of these values. */
  count(values: readonly string[]): number {
    let count = 0;
    for (const value of values) {
      const found = this.#byValue.get(value);
      if (found) count += found instanceof ObjectTree ? found.size : 1;
    }
    return count;
  }

  /** The objects of a range that have one of these distinct values, in key order. */
  objects(values: readonly string[], range: KeyRange): readonly CachedObject[] {
    let lists = values.map((value) => this.#objectsOf(value, range));
    // Merged pairwise: merging one after another would copy the result once per value.
    while (lists.length > 1)
      lists = lists.flatMap((list, at) => (at % 2 === 0 ? [mergeByKey(list, lists[at + 1] ?? [])] : []));
    return lists[0] ?? [];
  }

  #objectsOf(value: string, range: KeyRange): readonly CachedObject[] {
    const found = this.#byValue.get(value);
    if (!found) return [];
    if (found instanceof ObjectTree) return objectsIn(found, range);
    return isInRange(found.key, range) ? [found] : [];
  }
}

/** An object's value of a label or field; an unset field has the value ''. */
function termValue({ kind, name }: TermKey, object: CachedObject): string | undefined {
  const { labels, fields } = object.index();
  return kind === 'label' ? labels.get(name) : (fields.get(name) ?? '');
}
