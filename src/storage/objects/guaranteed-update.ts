import type { JsonObject } from '../../meta/json-value.ts';
import type { CachedObject, Suggestion } from './cached-object.ts';
import type { RecentTrees } from './recent-objects.ts';
import type { CallOptions, GetResult, ObjectStore, StoredValue, SwapResult } from '../port/object-store.ts';
import type { WriteCallOptions } from '../port/object-store.ts';
import { cachedObject, isUnchanged, type ReadContext } from './resource-reading.ts';
import { StorageError } from '../port/storage-error.ts';
import { encodeObjectParts, type EncodedParts } from './stored-object.ts';

/**
 * The result of a transform: write this value (nothing is written if it is unchanged), delete the
 * object, or keep it. An unchanged value is written if the stored one is `outdated`.
 */
export type WriteDecision =
  | { readonly action: 'put'; readonly value: JsonObject }
  | { readonly action: 'delete' }
  | { readonly action: 'keep' };

/**
 * Decides on the current object; undefined if it does not exist. Runs again after each conflict, so
 * it must have no side effects, and must not change `current`.
 */
type Transform = (current: CachedObject | undefined) => WriteDecision | Promise<WriteDecision>;

/** Options of a guaranteed update. */
interface GuaranteedUpdate {
  readonly store: ObjectStore;
  readonly key: string;
  readonly context: ReadContext;
  /** The object from the cache, which saves the read before the write. May be stale. */
  readonly suggestion?: Suggestion | undefined;
  readonly transform: Transform;
  /** Makes the cached object of a successful put; see `ResourceCache`. */
  readonly written?: (stored: StoredValue) => CachedObject;
  /** Caches the tree of the written object; nobody may change the tree afterwards. */
  readonly recent?: RecentTrees;
  /** How many writes may be lost to other writers before the update fails with Conflict. */
  readonly attempts?: number;
  /** Does everything but write; a put returns the revision that it read. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  /** TTL of the written object, from now on; see `WriteCallOptions`. */
  readonly ttlSeconds?: number | undefined;
}

/**
 * The result. `object` is the new state after a put, the last state after a delete. A put without
 * changes is `kept`.
 */
export interface UpdateOutcome {
  readonly action: 'created' | 'updated' | 'deleted' | 'kept';
  readonly object: CachedObject | undefined;
  readonly previous: CachedObject | undefined;
  /**
   * The revision of the write; if nothing was written, the revision of the object, or 0 without an
   * object.
   */
  readonly revision: number;
}

/**
 * Each lost write means that another writer succeeded, so there is progress. The limit is high
 * enough for many concurrent writers of one object, and stops a transform that can never succeed.
 */
const defaultAttempts = 100;

/**
 * Reads, transforms and writes with compare-and-swap; repeats with the state from the store until
 * the write succeeds. The suggestion may be stale. So an error of the transform and a decision not
 * to write are accepted only after a read of the store has returned the same revision. Throws the
 * transform's errors, or StorageError.
 */
export async function guaranteedUpdate(update: GuaranteedUpdate): Promise<UpdateOutcome> {
  const read = ({ current, session }: FoundValue): Suggestion => ({
    object: current && cachedObject(current, update.context),
    session,
  });
  const readLive = async () => read(await update.store.get(update.key, callOptions(update)));

  let fresh = update.suggestion === undefined;
  let base: Suggestion = update.suggestion ?? (await readLive());
  let [left, sessionsLeft] = [update.attempts ?? defaultAttempts, defaultAttempts];
  while (left > 0) {
    const step = await planned(update, base);
    if (!fresh && !('write' in step)) {
      fresh = true;
      const live = await readLive();
      if (!isSameState(live, base)) {
        base = live;
        left--;
        continue;
      }
    }
    if ('error' in step) throw step.error;
    if ('outcome' in step) return step.outcome;
    const result = await step.write();
    if ('action' in result) return result;
    base = result.lost ? read(result.lost) : await readLive();
    fresh = true;
    // Without a lost value no other writer won: nothing was sent.
    if (result.lost) left--;
    else if (--sessionsLeft === 0)
      throw new StorageError('Unavailable', 'the connection to the store breaks too often');
  }
  throw new StorageError('Conflict', `the object at ${update.key} changes faster than it can be updated`, {
    key: update.key,
  });
}

/** A value that was read from the store. */
type FoundValue = Pick<GetResult, 'current' | 'session'>;

/**
 * A successful write, or the value that was stored instead. The value is undefined if it must be
 * read, because the session of the store has ended.
 */
type AttemptResult = UpdateOutcome | { readonly lost: FoundValue | undefined };

/**
 * Compares two states. The same revision may be another state in another session. A cached state
 * becomes stale when another key encrypts new values.
 */
function isSameState({ object, session }: Suggestion, other: Suggestion): boolean {
  if (!object) return !other.object;
  const isSame = object.revision === other.object?.revision && object.outdated === other.object.outdated;
  return isSame && session === other.session;
}

/** The result of one run of the transform: a write, nothing to write, or the transform's error. */
type UpdateAttempt =
  | { readonly write: () => Promise<AttemptResult> }
  | { readonly outcome: UpdateOutcome }
  | { readonly error: unknown };

async function planned(update: GuaranteedUpdate, base: Suggestion): Promise<UpdateAttempt> {
  const { object: current, session } = base;
  let decision: WriteDecision;
  try {
    decision = await update.transform(current);
  } catch (error) {
    return { error };
  }
  const kept = { action: 'kept', object: current, previous: current, revision: current?.revision ?? 0 } as const;
  if (decision.action === 'keep') return { outcome: kept };
  if (decision.action === 'delete') return current ? planDelete(update, current, session) : { outcome: kept };
  const encoded = encodeObjectParts(decision.value, update.recent?.partsOf(update.key));
  const { bytes } = encoded;
  if (current && !current.outdated && isUnchanged(current, bytes)) return { outcome: kept };
  return remembered(
    update,
    current ? planUpdate(update, current, { bytes, session }) : planCreate(update, bytes),
    encoded,
  );
}

function remembered({ recent }: GuaranteedUpdate, step: UpdateAttempt, encoded: EncodedParts): UpdateAttempt {
  if (!recent || !('write' in step)) return step;
  const { write } = step;
  return {
    write: async () => {
      const result = await write();
      if ('action' in result && result.object) recent.remember(result.object, encoded, result.action === 'created');
      return result;
    },
  };
}

function planDelete(update: GuaranteedUpdate, current: CachedObject, session: string | undefined): UpdateAttempt {
  const outcome = (revision: number): UpdateOutcome => ({
    action: 'deleted',
    object: current,
    previous: current,
    revision,
  });
  if (update.dryRun) return { outcome: outcome(current.revision) };
  return {
    write: () =>
      swapped(outcome, () => update.store.delete(update.key, current.revision, { ...callOptions(update), session })),
  };
}

/** The bytes that a put writes, and the session in which the state before was read. */
interface PlannedPut {
  readonly bytes: Buffer;
  readonly session: string | undefined;
}

function planUpdate(update: GuaranteedUpdate, current: CachedObject, { bytes, session }: PlannedPut): UpdateAttempt {
  const outcome = (revision: number): UpdateOutcome => ({
    action: 'updated',
    object: objectOf(update, bytes, revision),
    previous: current,
    revision,
  });
  if (update.dryRun) return { outcome: outcome(current.revision) };
  return {
    write: () =>
      swapped(outcome, () =>
        update.store.update(update.key, bytes, current.revision, { ...writeOptions(update), session }),
      ),
  };
}

async function swapped(
  outcome: (revision: number) => UpdateOutcome,
  swap: () => Promise<SwapResult>,
): Promise<AttemptResult> {
  try {
    const result = await swap();
    return result.swapped ? outcome(result.revision) : { lost: result };
  } catch (error) {
    if (error instanceof StorageError && error.code === 'SessionEnded') return { lost: undefined };
    throw error;
  }
}

function planCreate(update: GuaranteedUpdate, bytes: Buffer): UpdateAttempt {
  const outcome = (revision: number): UpdateOutcome => ({
    action: 'created',
    object: objectOf(update, bytes, revision),
    previous: undefined,
    revision,
  });
  if (update.dryRun) return { outcome: outcome(0) };
  return {
    write: async () => {
      try {
        return outcome((await update.store.create(update.key, bytes, writeOptions(update))).revision);
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== 'AlreadyExists') throw error;
        return { lost: await update.store.get(update.key, callOptions(update)) };
      }
    },
  };
}

/** The object that a put wrote, or would have written in a dry run. */
function objectOf({ key, context, dryRun, written }: GuaranteedUpdate, value: Buffer, revision: number): CachedObject {
  const stored = { key, value, revision };
  return written && !dryRun ? written(stored) : cachedObject(stored, { ...context, kind: undefined });
}

function writeOptions(update: GuaranteedUpdate): WriteCallOptions {
  const { ttlSeconds } = update;
  return ttlSeconds === undefined ? callOptions(update) : { ...callOptions(update), ttlSeconds };
}

function callOptions({ signal }: GuaranteedUpdate): CallOptions {
  return signal ? { signal } : {};
}
