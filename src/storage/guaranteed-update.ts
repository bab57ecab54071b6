import type { JsonObject } from '../meta/json-value.ts';
import type { CachedObject } from './cached-object.ts';
import type { RecentObjects } from './recent-objects.ts';
import type { CallOptions, ObjectStore, StoredValue, WriteCallOptions } from './object-store.ts';
import type { Suggestion } from './resource-cache.ts';
import { cachedObject, isUnchanged, type ReadContext } from './spliced-object.ts';
import { StorageError } from './storage-error.ts';
import { encodeObjectParts, type EncodedParts } from './stored-object.ts';

/** What a transform wants done: write this (nothing happens where nothing changed), remove the object, or leave it. */
export type WriteDecision =
  | { readonly action: 'put'; readonly value: JsonObject }
  | { readonly action: 'delete' }
  | { readonly action: 'keep' };

/**
 * Decides on the live object, undefined where there is none. Runs again on every conflict, so it must not change anything
 * outside, and must not change `current`.
 */
export type Transform = (current: CachedObject | undefined) => WriteDecision | Promise<WriteDecision>;

/** What a guaranteed update needs. */
export interface GuaranteedUpdate {
  readonly store: ObjectStore;
  readonly key: string;
  readonly context: ReadContext;
  /** What the cache knows: saves the read before the write. May be stale. */
  readonly suggestion?: Suggestion | undefined;
  readonly transform: Transform;
  /** What the cache makes of a put that was won; see `ResourceCache`. */
  readonly written?: (stored: StoredValue) => CachedObject;
  /** Takes note of what is written; then nobody may change it any more. */
  readonly recent?: RecentObjects;
  /** How many writes may be lost to others before the caller gets a Conflict. */
  readonly attempts?: number;
  /** Do all but write; a put answers at the revision that it found. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  /** How long what is written lives from now on; see `WriteCallOptions`. */
  readonly ttlSeconds?: number | undefined;
}

/** What was done. `object` is the new state of a put, the last state of a delete; a put that changes nothing is a keep. */
export interface UpdateOutcome {
  readonly action: 'created' | 'updated' | 'deleted' | 'kept';
  readonly object: CachedObject | undefined;
  readonly previous: CachedObject | undefined;
  /** Of the write; of the object where nothing was written, 0 where there is none. */
  readonly revision: number;
}

/**
 * Each lost write means that another writer won, so the object does move on. Enough for a crowd of writers of one object, and
 * an end for a caller whose transform can never win.
 */
const defaultAttempts = 100;

/**
 * Reads, decides and writes in one compare-and-swap, and again with what the store answered until the write is won. The
 * suggestion may be stale: an error of the transform, and a decision to write nothing, are believed only when a fresh read has
 * shown the same state. Throws what the transform throws, or StorageError.
 */
export async function guaranteedUpdate(update: GuaranteedUpdate): Promise<UpdateOutcome> {
  const read = (value: StoredValue | undefined) => value && cachedObject(value, update.context);
  const readLive = async () => read((await update.store.get(update.key, callOptions(update))).current);

  const { suggestion } = update;
  let fresh = suggestion === undefined;
  let current: CachedObject | undefined = suggestion ? suggestion.object : await readLive();
  for (let left = update.attempts ?? defaultAttempts; left > 0; left--) {
    const step = await planned(update, current);
    if (!fresh && !('write' in step)) {
      fresh = true;
      const live = await readLive();
      if (live?.revision !== current?.revision) {
        current = live;
        continue;
      }
    }
    if ('error' in step) throw step.error;
    if ('outcome' in step) return step.outcome;
    const result = await step.write();
    if ('action' in result) return result;
    current = read(result.lost);
    fresh = true;
  }
  throw new StorageError('Conflict', `the object at ${update.key} changes faster than it can be updated`, {
    key: update.key,
  });
}

/** A write that was won, or what stands at the key instead. */
type WriteResult = UpdateOutcome | { readonly lost: StoredValue | undefined };

/** What one run of the transform leads to: a write, or nothing to write, or the transform's error. */
type Step =
  | { readonly write: () => Promise<WriteResult> }
  | { readonly outcome: UpdateOutcome }
  | { readonly error: unknown };

async function planned(update: GuaranteedUpdate, current: CachedObject | undefined): Promise<Step> {
  let decision: WriteDecision;
  try {
    decision = await update.transform(current);
  } catch (error) {
    return { error };
  }
  const kept = { action: 'kept', object: current, previous: current, revision: current?.revision ?? 0 } as const;
  if (decision.action === 'keep') return { outcome: kept };
  if (decision.action === 'delete') return current ? planDelete(update, current) : { outcome: kept };
  const encoded = encodeObjectParts(decision.value, update.recent?.partsOf(update.key));
  const { bytes } = encoded;
  if (current && isUnchanged(current, bytes)) return { outcome: kept };
  return current ? remembered(update, planUpdate(update, current, bytes), encoded) : planCreate(update, bytes);
}

function remembered({ recent }: GuaranteedUpdate, step: Step, encoded: EncodedParts): Step {
  if (!recent || !('write' in step)) return step;
  const { write } = step;
  return {
    write: async () => {
      const result = await write();
      if ('action' in result && result.object) recent.remember(result.object, encoded);
      return result;
    },
  };
}

function planDelete(update: GuaranteedUpdate, current: CachedObject): Step {
  const outcome = (revision: number): UpdateOutcome => ({
    action: 'deleted',
    object: current,
    previous: current,
    revision,
  });
  if (update.dryRun) return { outcome: outcome(current.revision) };
  return {
    write: async () => {
      const result = await update.store.delete(update.key, current.revision, callOptions(update));
      return result.swapped ? outcome(result.revision) : { lost: result.current };
    },
  };
}

function planUpdate(update: GuaranteedUpdate, current: CachedObject, bytes: Buffer): Step {
  const outcome = (revision: number): UpdateOutcome => ({
    action: 'updated',
    object: objectOf(update, bytes, revision),
    previous: current,
    revision,
  });
  if (update.dryRun) return { outcome: outcome(current.revision) };
  return {
    write: async () => {
      const result = await update.store.update(update.key, bytes, current.revision, writeOptions(update));
      return result.swapped ? outcome(result.revision) : { lost: result.current };
    },
  };
}

function planCreate(update: GuaranteedUpdate, bytes: Buffer): Step {
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
        return { lost: (await update.store.get(update.key, callOptions(update))).current };
      }
    },
  };
}

/** What a put has made, or in a dry run would have made. */
function objectOf({ key, context, dryRun, written }: GuaranteedUpdate, value: Buffer, revision: number): CachedObject {
  const stored = { key, value, revision };
  return written && !dryRun ? written(stored) : cachedObject(stored, context);
}

function writeOptions(update: GuaranteedUpdate): WriteCallOptions {
  const { ttlSeconds } = update;
  return ttlSeconds === undefined ? callOptions(update) : { ...callOptions(update), ttlSeconds };
}

function callOptions({ signal }: GuaranteedUpdate): CallOptions {
  return signal ? { signal } : {};
}
