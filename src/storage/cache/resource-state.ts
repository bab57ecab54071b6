import { EventLog, type EventLogLimits } from './event-log.ts';
import { type StoredValue, type StoreEvent, keyOf, revisionOf } from '../port/object-store.ts';
import { HistoryBytes } from '../objects/history-bytes.ts';
import { LargeObjects } from '../objects/large-objects.ts';
import { itemsJson } from '../objects/items-json.ts';
import { joinedItems, type ListBytesCache } from '../objects/list-bytes-cache.ts';
import { type Damage, damageSince, unknownDamage } from './damage.ts';
import { listPage, type PageQuery } from './list-page.ts';
import { keyRange, ObjectTree, everything, objectsIn } from '../objects/object-tree.ts';
import type { CacheGet, CacheList } from './resource-cache.ts';
import { PendingOwnWrites } from './pending-own-writes.ts';
import { ResourceEvent } from './resource-event.ts';
import { Snapshots } from './snapshots.ts';
import type { CachedObject } from '../objects/cached-object.ts';
import { type Allocate, isStored } from '../objects/resource-reading.ts';
import { compareKeys } from '../port/key-order.ts';
import { splitObjectKey } from '../port/object-key.ts';
import { StorageError } from '../port/storage-error.ts';
import { SelectorIndexes } from './selector-indexes.ts';

/** Dependencies of a state. */
export interface StateContext {
  /** The prefix of the resource's keys. */
  readonly prefix: string;
  /** Decodes a stored value, in a buffer of `allocate` if given; throws Corrupt. */
  readonly read: (stored: StoredValue, allocate?: Allocate) => CachedObject;
  /** Decodes a value that this server has just written. */
  readonly readOwn: (stored: StoredValue) => CachedObject;
  /** Called for each value that cannot be decoded. */
  readonly onCorrupt: (error: StorageError) => void;
  readonly limits: EventLogLimits;
  readonly now: () => number;
  readonly listBytes: ListBytesCache;
}

/** A present value that cannot be decoded. */
interface UnreadableValue {
  readonly error: StorageError;
  readonly damage: Damage;
}

/**
 * The present objects of one resource, with the log of their recent changes. Loaded from a list at
 * one revision, then updated by events. A value that cannot be decoded is left out of lists, and is
 * no change to watches; a get of it throws Corrupt.
 */
export class ResourceState {
  /** The revision of the initial list. */
  readonly filledAt: number;
  /** The session of the store in which the initial list was read. */
  readonly session: string | undefined;
  readonly log: EventLog;
  readonly #context: StateContext;
  readonly #live = new ObjectTree();
  readonly #snapshots = new Snapshots();
  readonly #corrupt = new Map<string, UnreadableValue>();
  readonly #terms: SelectorIndexes;
  readonly #own = new PendingOwnWrites();
  readonly #large = new LargeObjects();
  readonly #history = new HistoryBytes();
  #snapshot: ObjectTree | undefined;
  #stateRevision: number;
  #ended = false;

  constructor(filledAt: number, context: StateContext, session?: string) {
    this.filledAt = filledAt;
    this.session = session;
    this.log = new EventLog(filledAt, context.limits);
    this.#context = context;
    this.#stateRevision = filledAt;
    this.#terms = new SelectorIndexes(this, context.now);
  }

  /** True after `end`. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Ends the state; drops its cached list bytes and encodings. */
  end(): void {
    this.#ended = true;
    for (const object of objectsIn(this.snapshot(), everything)) object.dropEncodings();
    this.#context.listBytes.forgetAll(this);
  }

  /** The revision of the last change. */
  get stateRevision(): number {
    return this.#stateRevision;
  }

  /** Adds a value of the initial list, in key order. */
  load(stored: StoredValue, allocate: Allocate): void {
    const object = this.#read(stored, unknownDamage(this.filledAt), allocate);
    if (!object) return;
    this.#enter(object);
    this.#large.changed(object.key, object, Number.NEGATIVE_INFINITY);
  }

  /** Compresses the large objects that were loaded, in other threads. */
  packLoaded(): Promise<void> {
    return this.#large.pack(this.#context.now());
  }

  get size(): number {
    return this.#live.size;
  }

  /** True if a present value could not be decoded. */
  get hasUnreadable(): boolean {
    return this.#corrupt.size > 0;
  }

  /** The object at a key. Throws Corrupt if its value cannot be decoded. */
  get(key: string): CachedObject | undefined {
    const unreadable = this.#corrupt.get(key);
    if (unreadable) throw unreadable.error;
    return this.#live.get(key);
  }

  /** The result of a get at a revision that the state has reached. Throws as `get` does. */
  read(key: string, revision: number): CacheGet {
    const object = this.get(key);
    return { object, revision: Math.max(revision, object?.revision ?? 0) };
  }

  /** The object at a key; undefined also if its value cannot be decoded. */
  peek(key: string): CachedObject | undefined {
    return this.#live.get(key);
  }

  /**
   * The object at a key, or the object of a write by this server whose event has not arrived: a
   * base for the next write, which another server may have overtaken.
   */
  suggest(key: string): CachedObject | undefined {
    return this.#own.after(key, this.#stateRevision) ?? this.#live.get(key);
  }

  /** A snapshot of the present state; later changes do not affect it. */
  snapshot(): ObjectTree {
    this.#snapshot ??= this.#live.clone();
    return this.#snapshot;
  }

  /** The state at a revision that is not before the log's start. */
  snapshotAt(revision: number): ObjectTree {
    return this.#snapshots.at(revision, { stateRevision: this.#stateRevision, tree: this.snapshot() }, this.log);
  }

  /**
   * Lists at a revision that is not before the log's start. If pages remain, the snapshot is kept
   * for them.
   */
  async list(revision: number, query: PageQuery, signal: AbortSignal | undefined): Promise<CacheList> {
    const snapshot = { tree: this.snapshotAt(revision), stateRevision: this.log.stateRevision(revision) };
    const range = keyRange(query.prefix, query.afterKey);
    const candidates =
      query.terms && query.key === undefined
        ? await this.#terms.candidates(snapshot, query.terms, range, signal)
        : undefined;
    const list = await listPage(snapshot.tree, revision, query, candidates, signal);
    if (list.lastKey !== undefined) this.#snapshots.keep(snapshot);
    const joined = joinedItems(this.#context.listBytes, this, list.objects);
    const unreadable = this.#corruptIn(query, list.lastKey);
    return { ...list, unreadable, joined, json: () => itemsJson(list.objects, joined) };
  }

  /** The keys of a page whose values cannot be decoded now. */
  #corruptIn({ prefix, key, name, afterKey }: PageQuery, lastKey: string | undefined): readonly string[] {
    if (this.#corrupt.size === 0) return [];
    const isAsked = (one: string): boolean =>
      one.startsWith(prefix) &&
      (key === undefined || one === key) &&
      (name === undefined || one.endsWith(`/${name}`)) &&
      (afterKey === undefined || compareKeys(one, afterKey) > 0) &&
      (lastKey === undefined || compareKeys(one, lastKey) < 0);
    return [...this.#corrupt.keys()].filter(isAsked).toSorted(compareKeys);
  }

  /** Applies one event of the store; undefined if it changes no object. */
  apply(event: StoreEvent): ResourceEvent | undefined {
    const key = keyOf(event);
    const revision = revisionOf(event);
    if (revision <= this.filledAt) return undefined;
    const damage = this.#corrupt.get(key)?.damage;
    this.#corrupt.delete(key);
    // The previous state is taken from the cache, because the store's may be compacted.
    const previous = this.#live.get(key);
    const current =
      event.type === 'put'
        ? (this.#own.take(event.current) ?? this.#read(event.current, damage ?? damageSince(revision, previous)))
        : undefined;
    const hidden = event.type === 'put' && !current;
    const wasShown = previous !== undefined || (damage !== undefined && !hidden && isShown(damage));
    if (!wasShown && !current) return undefined;
    if (current) this.#enter(current);
    else this.#live.delete(key);
    previous?.retire(this.#history);
    this.#snapshot = undefined;
    this.#stateRevision = revision;
    const nowMs = this.#context.now();
    const names = damage && splitObjectKey(this.#context.prefix, key);
    const change = new ResourceEvent({ key, revision, atMs: nowMs, current, previous, damage, hidden, names });
    this.log.append(change, nowMs);
    this.#large.changed(key, current, nowMs);
    return change;
  }

  /** The object of a write by this server, before or after its event arrived. Throws Corrupt. */
  written(stored: StoredValue): CachedObject {
    const seen = this.#live.get(stored.key);
    if (seen && isStored(seen, stored)) return seen;
    const object = this.#context.readOwn(stored);
    if (stored.revision > this.#stateRevision) this.#own.expect(object);
    return object;
  }

  /**
   * Drops history that is too old, and all up to `untilMs`; updates the indexes, and compresses
   * large objects.
   */
  trim(untilMs: number): void {
    const nowMs = this.#context.now();
    this.log.trim(nowMs, untilMs);
    if (this.log.size === 0) this.#history.clear();
    void this.#large.pack(nowMs);
    this.#snapshots.trim(this.log.start);
    this.#terms.upkeep();
  }

  #enter(object: CachedObject): void {
    this.#live.set(object);
    object.enter();
  }

  /** Decodes a value. One that cannot be decoded is kept with its damage. */
  #read(stored: StoredValue, damage: Damage, allocate?: Allocate): CachedObject | undefined {
    try {
      return this.#context.read(stored, allocate);
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'Corrupt') throw error;
      this.#corrupt.set(stored.key, { error, damage });
      this.#context.onCorrupt(error);
      return undefined;
    }
  }
}

/** True if a watcher may know a state of the object. */
function isShown({ last, isLastKnown }: Damage): boolean {
  return last !== undefined || !isLastKnown;
}
