import type { ApiObject } from '../api-object.ts';

/** Returns the values of an object in an index; it is found by each of them. */
export type IndexValues<T extends ApiObject> = (object: T) => readonly string[];

interface ObjectIndex<T extends ApiObject> {
  readonly valuesOf: IndexValues<T>;
  /** The objects of a value, by their keys. */
  readonly byValue: Map<string, Map<string, T>>;
}

/** Objects by namespace and name, with any number of indexes. */
export class ObjectStore<T extends ApiObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, ObjectIndex<T>>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  /** Sets the object of a key, and returns the previous one. */
  put(key: string, object: T): T | undefined {
    const old = this.#objects.get(key);
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) {
      if (old) removeFrom(index, key, old);
      addTo(index, key, object);
    }
    return old;
  }

  /** Removes the object of a key, and returns it. */
  remove(key: string): T | undefined {
    const old = this.#objects.get(key);
    if (!old) return undefined;
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) removeFrom(index, key, old);
    return old;
  }

  /** Adds an index over present and future objects. One with the name of another replaces it. */
  addIndex(name: string, valuesOf: IndexValues<T>): void {
    const index: ObjectIndex<T> = { valuesOf, byValue: new Map() };
    for (const [key, object] of this.#objects) addTo(index, key, object);
    this.#indexes.set(name, index);
  }

  /** True if there is an index of this name. */
  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  /** The objects with a value in an index. Throws TypeError for an unknown index. */
  byIndex(name: string, value: string): T[] {
    const index = this.#indexes.get(name);
    if (!index) throw new TypeError(`there is no index "${name}"`);
    return [...(index.byValue.get(value)?.values() ?? [])];
  }
}

/** The key of an object: `namespace/name`, or the name of an object of the cluster. */
export function objectKey(name: string, namespace = ''): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** The key of an object by its metadata. */
export function keyOf({ metadata }: ApiObject): string {
  return objectKey(metadata?.name ?? '', metadata?.namespace);
}

function addTo<T extends ApiObject>(index: ObjectIndex<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const objects = index.byValue.get(value) ?? new Map<string, T>();
    index.byValue.set(value, objects);
    objects.set(key, object);
  }
}

function removeFrom<T extends ApiObject>(index: ObjectIndex<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const objects = index.byValue.get(value);
    objects?.delete(key);
    if (objects?.size === 0) index.byValue.delete(value);
  }
}
