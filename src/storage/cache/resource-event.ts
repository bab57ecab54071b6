import type { CachedObject } from '../objects/cached-object.ts';
import { StorageError } from '../port/storage-error.ts';
import type { Damage } from './damage.ts';
import type { CacheEvent, ObjectFilter } from './resource-cache.ts';

/** A change as it entered the cache. */
interface ObjectChange {
  readonly key: string;
  readonly revision: number;
  readonly atMs: number;
  readonly current: CachedObject | undefined;
  readonly previous: CachedObject | undefined;
  /** Set if the value could not be read before the change. */
  readonly damage?: Damage | undefined;
  /** True if the value cannot be read since the change, which no watcher is sent then. */
  readonly hidden?: boolean;
  /** The names in the key; used for a change without a readable state. */
  readonly names?: { readonly namespace: string; readonly name: string } | undefined;
}

/**
 * One change of one object, shared by all watchers of the resource. A watcher's filter selects one
 * of three events, each of which is made once (docs/architecture.md, invariant 5).
 */
export class ResourceEvent {
  readonly revision: number;
  readonly namespace: string;
  readonly name: string;
  /** When the change entered the cache, by the cache's clock. */
  readonly atMs: number;
  readonly key: string;
  readonly current: CachedObject | undefined;
  readonly previous: CachedObject | undefined;
  readonly #damage: Damage | undefined;
  readonly #hidden: boolean;
  readonly #sent: { added?: CacheEvent; modified?: CacheEvent; deleted?: CacheEvent } = {};

  constructor(change: ObjectChange) {
    const object = change.current ?? change.previous ?? change.damage?.last ?? change.names;
    this.key = change.key;
    this.revision = change.revision;
    this.atMs = change.atMs;
    this.current = change.current;
    this.previous = change.previous;
    this.namespace = object?.namespace ?? '';
    this.name = object?.name ?? '';
    this.#damage = change.damage;
    this.#hidden = change.hidden ?? false;
  }

  /** Bytes of the event's object, which count against the limits of logs and queues. */
  get bytes(): number {
    return (this.current ?? this.previous)?.size ?? 0;
  }

  /**
   * The event for a watcher with this filter that started at `startRevision`; undefined if there is
   * none. An object that starts to match is ADDED; one that no longer matches is DELETED with its
   * last matching state. A value that cannot be read is no change: the next readable state follows
   * the last one. Throws Compacted if that is not known and the watcher may know it.
   */
  seenBy(filter: ObjectFilter | undefined, startRevision = 0): CacheEvent | undefined {
    if (this.#hidden) return undefined;
    const { current } = this;
    const damage = this.#damage;
    const last = damage ? damage.last : this.previous;
    const matches = current !== undefined && (!filter || filter(current.index(), current));
    const matched = last !== undefined && (!filter || filter(last.index(), last));
    if (damage && !damage.isLastKnown && !matches) throw this.#unknownBefore(damage);
    if (!matches) return matched ? this.#deleted(last) : undefined;
    // A watcher that started from a list of the time of the damage was not shown the object.
    const isKnown = matched && (!damage || startRevision < damage.since);
    return isKnown ? this.#modified(current, last) : this.#added(current);
  }

  #unknownBefore({ since }: Damage): StorageError {
    return new StorageError('Compacted', `the value stored at ${this.key} could not be read after revision ${since}`);
  }

  #added(object: CachedObject): CacheEvent {
    this.#sent.added ??= { type: 'ADDED', object };
    return this.#sent.added;
  }

  #modified(object: CachedObject, previous: CachedObject): CacheEvent {
    this.#sent.modified ??= { type: 'MODIFIED', object, previous };
    return this.#sent.modified;
  }

  #deleted(object: CachedObject): CacheEvent {
    this.#sent.deleted ??= { type: 'DELETED', object: object.withRevision(this.revision) };
    return this.#sent.deleted;
  }
}
