import assert from 'node:assert/strict';
import type {
  ObjectStore,
  StoredValue,
  StoreEvent,
  WatchBatch,
  WatchOptions,
} from '../../src/storage/port/object-store.ts';
import { StorageError, type StorageErrorCode } from '../../src/storage/port/storage-error.ts';

/** What the suites of the contract run against. All tests of a run share one store, and each has a prefix of its own. */
export interface Fixture {
  readonly store: () => ObjectStore;
  readonly prefix: () => string;
}

let prefixes = 0;

/** A fixture over a store that is opened later, in a `before` hook. */
export function fixtureOf(store: () => ObjectStore): Fixture {
  return { store, prefix: () => `/contract-${++prefixes}/` };
}

/** The bytes of a text. */
export const bytes = (text: string): Buffer => Buffer.from(text);

/** The text of a value's bytes; undefined for none. */
export const textOf = (value: StoredValue | undefined): string | undefined =>
  value && Buffer.from(value.value).toString();

/** Writes keys one after the other; their revisions. */
export async function createAll(store: ObjectStore, keys: readonly string[]): Promise<number[]> {
  const revisions: number[] = [];
  for (const key of keys) revisions.push((await store.create(key, bytes(`value of ${key}`))).revision);
  return revisions;
}

/** All values of a list, which must be in order, at one revision, and count down what remains. */
export async function listAll(
  store: ObjectStore,
  prefix: string,
  options: Parameters<ObjectStore['list']>[1] = {},
): Promise<{ keys: string[]; values: StoredValue[]; revision: number; remaining: number; pages: number }> {
  const values: StoredValue[] = [];
  let revision: number | undefined;
  let remaining: number | undefined;
  let pages = 0;
  for await (const page of store.list(prefix, options)) {
    assert.equal(page.revision, revision ?? page.revision, 'all pages are at one revision');
    if (remaining !== undefined) assert.equal(page.remaining, remaining - page.values.length);
    revision = page.revision;
    remaining = page.remaining;
    pages++;
    values.push(...page.values);
  }
  assert.ok(revision !== undefined && remaining !== undefined, 'there is at least one page');
  return { keys: values.map(({ key }) => key), values, revision, remaining, pages };
}

/** One change in one line: `put /a/x=new was old`. */
export function lineOf(event: StoreEvent): string {
  const was = event.previous ? ` was ${textOf(event.previous)}` : '';
  return event.type === 'put' ? `put ${event.current.key}=${textOf(event.current)}${was}` : `delete ${event.key}${was}`;
}

/** The revision of a change. */
export const revisionOf = (event: StoreEvent): number =>
  event.type === 'put' ? event.current.revision : event.revision;

/** A watch that is being read, and what it has told so far. */
export interface Watching {
  readonly events: StoreEvent[];
  readonly batches: WatchBatch[];
  /** Waits until so many events have come; fails after 10 s. */
  reach(count: number): Promise<void>;
  /** Ends the watch and waits until it has ended. */
  stop(): Promise<void>;
  /** What the watch ended with: undefined where it simply ended. */
  readonly ended: Promise<unknown>;
}

const reachTimeoutMs = 60_000;

/** A watch that is resumed behind its last batch, in the same history, whenever its stream breaks. */
export async function* resumedWatch(
  store: ObjectStore,
  prefix: string,
  options: WatchOptions,
): AsyncGenerator<WatchBatch> {
  const { historyId } = await store.status();
  for (let { afterRevision } = options; !options.signal?.aborted; ) {
    try {
      for await (const batch of store.watch(prefix, { ...options, historyId, afterRevision })) {
        yield batch;
        afterRevision = batch.revision;
      }
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'Unavailable') throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Reads a watch in the background; `resumed` over as many streams as it takes. */
export function startWatch(
  store: ObjectStore,
  prefix: string,
  afterRevision: number,
  { resumed = false }: { readonly resumed?: boolean } = {},
): Watching {
  const abort = new AbortController();
  const events: StoreEvent[] = [];
  const batches: WatchBatch[] = [];
  // Tells whoever waits in `reach`; nobody at first.
  let wake: (() => void) | undefined;
  const read = async (): Promise<unknown> => {
    try {
      const options = { afterRevision, signal: abort.signal };
      for await (const batch of resumed ? resumedWatch(store, prefix, options) : store.watch(prefix, options)) {
        batches.push(batch);
        events.push(...batch.events);
        wake?.();
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      over = true;
      wake?.();
    }
  };
  let over = false;
  const ended = read();
  return {
    events,
    batches,
    ended,
    async reach(count) {
      const deadline = Date.now() + reachTimeoutMs;
      while (events.length < count) {
        if (over) throw new Error('the watch ended too soon', { cause: await ended });
        const leftMs = deadline - Date.now();
        if (leftMs <= 0)
          throw new Error(`the watch told ${events.length} of ${count} events: ${events.map(lineOf).join(', ')}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    async stop() {
      abort.abort();
      await ended;
    },
  };
}

/** A check for `assert.rejects`: a `StorageError` with this code, and with this revision where one is given. */
export function failsWith(code: StorageErrorCode, revision?: number): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof StorageError, `a StorageError, not ${String(error)}`);
    assert.equal(error.code, code, error.message);
    if (revision !== undefined) assert.equal(error.revision, revision);
    return true;
  };
}

/** Runs a test that may set the wall clock back by a minute, longer than any test takes. */
export async function withClockSetBack(test: (setBack: () => void) => Promise<void>): Promise<void> {
  const { now } = Date;
  try {
    await test(() => {
      Date.now = () => now() - 60_000;
    });
  } finally {
    Date.now = now;
  }
}
