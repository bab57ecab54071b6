import type { CachedObject } from '../objects/cached-object.ts';
import type { CacheEvent, ObjectFilter } from './resource-cache.ts';

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
  readonly #sent: { added?: CacheEvent; modified?: CacheEvent; deleted?: CacheEvent } = {};

  constructor(change: {
    readonly key: string;
    readonly revision: number;
    readonly atMs: number;
    readonly current: CachedObject | undefined;
    readonly previous: CachedObject | undefined;
  }) {
    const object = change.current ?? change.previous;
    this.key = change.key;
    this.revision = change.revision;
    this.atMs = change.atMs;
    this.current = change.current;
    this.previous = change.previous;
    this.namespace = object?.namespace ?? '';
    this.name = object?.name ?? '';
  }

  /** Bytes of the event's object, which count against the limits of logs and queues. */
  get bytes(): number {
    return (this.current ?? this.previous)?.size ?? 0;
  }

  /**
   * The event for a watcher with this filter; undefined if there is none. An object that starts to
   * match is ADDED; one that no longer matches is DELETED with its last matching state.
   */
  seenBy(filter: ObjectFilter | undefined): CacheEvent | undefined {
    const { current, previous } = this;
    const matches = current !== undefined && (!filter || filter(current.index(), current));
    const matched = previous !== undefined && (!filter || filter(previous.index(), previous));
    if (matches) return matched ? this.#modified(current, previous) : this.#added(current);
    return matched ? this.#deleted(previous) : undefined;
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
