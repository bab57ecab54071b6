import type { ApiObject } from '../api-object.ts';

/** Returns the values of an object in an index; it is found by each of them. */
export type IndexValues<T extends ApiObject> = (object: T) => readonly string[];

interface ObjectIndex<T extends ApiObject> {
  readonly valuesOf: IndexValues<T>;
  readonly byValue: Map<string, Set<T>>;
}

/**
 * Objects by namespace and name, with any number of indexes. The names are those in the objects: a
 * key of its own would take more memory than a small object's other strings.
 */
export class Indexer<T extends ApiObject> {
  /** The objects of each namespace by name; objects of the cluster have the namespace ''. */
  readonly #namespaces = new Map<string, Map<string, T>>();
  readonly #indexes = new Map<string, ObjectIndex<T>>();

  get(name: string, namespace = ''): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  /** All objects, grouped by namespace. */
  *values(): IterableIterator<T> {
    for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  /** The objects of a namespace. */
  inNamespace(namespace: string): Iterable<T> {
    return this.#namespaces.get(namespace)?.values() ?? [];
  }

  /** Sets the object of a name, and returns the previous one. */
  put(object: T): T | undefined {
    const { name = '', namespace = '' } = object.metadata ?? {};
    const objects = this.#namespaces.get(namespace) ?? new Map<string, T>();
    if (objects.size === 0) this.#namespaces.set(namespace, objects);
    const old = objects.get(name);
    objects.set(name, object);
    // The key of the entry is still the string of the first object.
    if (old?.metadata?.name && object.metadata) object.metadata.name = old.metadata.name;
    for (const index of this.#indexes.values()) {
      if (old) removeFrom(index, old);
      addTo(index, object);
    }
    return old;
  }

  /** Removes the object with the name of another one, and returns it. */
  remove({ metadata: { name = '', namespace = '' } = {} }: ApiObject): T | undefined {
    const objects = this.#namespaces.get(namespace);
    const old = objects?.get(name);
    if (!objects || !old) return undefined;
    objects.delete(name);
    if (objects.size === 0) this.#namespaces.delete(namespace);
    for (const index of this.#indexes.values()) removeFrom(index, old);
    return old;
  }

  /** Adds an index over present and future objects. One with the name of another replaces it. */
  addIndex(name: string, valuesOf: IndexValues<T>): void {
    const index: ObjectIndex<T> = { valuesOf, byValue: new Map() };
    for (const object of this.values()) addTo(index, object);
    this.#indexes.set(name, index);
  }

  /** The objects with a value in an index. Throws TypeError for an unknown index. */
  byIndex(name: string, value: string): T[] {
    const index = this.#indexes.get(name);
    if (!index) throw new TypeError(`there is no index "${name}"`);
    return [...(index.byValue.get(value) ?? [])];
  }
}

/** The key of an object: `namespace/name`, or the name of an object of the cluster. */
export function objectKey(name: string, namespace = ''): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function addTo<T extends ApiObject>(index: ObjectIndex<T>, object: T): void {
  for (const value of index.valuesOf(object)) {
    const objects = index.byValue.get(value) ?? new Set<T>();
    index.byValue.set(value, objects);
    objects.add(object);
  }
}

function removeFrom<T extends ApiObject>(index: ObjectIndex<T>, object: T): void {
  for (const value of index.valuesOf(object)) {
    const objects = index.byValue.get(value);
    objects?.delete(object);
    if (objects?.size === 0) index.byValue.delete(value);
  }
}
