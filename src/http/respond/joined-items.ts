import type { VersionedObject } from '../../registry/registry.ts';

/** Items of a list, joined. */
export interface JoinedItems {
  readonly items: readonly VersionedObject[];
  /** Each with the comma before it. */
  readonly bytes: Buffer;
}

/** Selections are mostly asked for again before they change; more is not kept than this. */
const limitBytes = 16 * 1024 * 1024;

/**
 * Items of selections that were joined lately, so that the next who selects the same is sent the same bytes. Found by the objects
 * themselves, which never change: whoever lists these objects in this order is answered so.
 */
export class JoinedSelections {
  readonly #limit: number;
  /** By their first object, the least lately used first. */
  readonly #kept = new Map<VersionedObject, JoinedItems>();
  #bytes = 0;

  constructor(limit = limitBytes) {
    this.#limit = limit;
  }

  /** What was joined of the items from a place on, if all of it stands there. */
  find(items: readonly VersionedObject[], from: number): JoinedItems | undefined {
    const first = items[from];
    if (!first) return undefined;
    const found = this.#kept.get(first);
    if (!found?.items.every((item, index) => items[from + index] === item)) return undefined;
    this.#kept.delete(first);
    this.#kept.set(first, found);
    return found;
  }

  /** Keeps joined items, in place of what began with the same object. */
  keep(joined: JoinedItems): void {
    const [first] = joined.items;
    if (!first || joined.bytes.length * 4 > this.#limit) return;
    this.#forget(first);
    this.#kept.set(first, joined);
    this.#bytes += joined.bytes.length;
    for (const [oldest] of this.#kept) {
      if (this.#bytes <= this.#limit) break;
      this.#forget(oldest);
    }
  }

  #forget(first: VersionedObject): void {
    this.#bytes -= this.#kept.get(first)?.bytes.length ?? 0;
    this.#kept.delete(first);
  }
}
