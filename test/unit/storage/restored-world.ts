import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { decodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { objectKey, objectsPrefix, type StorageLocation } from '../../../src/storage/port/object-key.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import { StorageError } from '../../../src/storage/port/storage-error.ts';
import { FlakyClient } from './flaky-client.ts';
import { newCache, pause, pod, prefix, put, remove } from './fixture.ts';

/** So many that some are read for the first time while something goes wrong. */
export const kinds = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((letter) => ({ group: '', resource: `${letter}s` }));

/** What happens to the store and to the connections, and what is asked. */
export type WorldStep =
  | { readonly do: 'create' | 'label' | 'delete'; readonly kind: StorageLocation; readonly name: string }
  | { readonly do: 'list'; readonly kind: StorageLocation }
  | { readonly do: 'write elsewhere' | 'cut calls' }
  /** Streams end, and none can be opened for a while. */
  | { readonly do: 'cut streams'; readonly forMs: number }
  /** The store is replaced by one without its last writes. A stream that is not cut stays silent. */
  | { readonly do: 'restore'; readonly lost: number; readonly outageMs: number; readonly streamsHang: boolean }
  | { readonly do: 'pause'; readonly ms: number };

type WorldStepOf<K extends WorldStep['do']> = Extract<WorldStep, { readonly do: K }>;

/** A write that another store can repeat. */
type Write = (store: ObjectStore) => Promise<unknown>;

/** A store that is replaced again and again, behind a client of which the network makes what it wants. */
export class RestoredWorld {
  readonly #client: FlakyClient;
  readonly #cache;
  readonly #lists: Promise<void>[] = [];
  #store: ObjectStore = new MemoryStore();
  #writes: Write[] = [];
  /** The objects of each kind after each change of the store, the present ones last. */
  readonly #states: Record<string, string>[] = [{}];
  /** The write under way, until its state is among these. */
  #writing: Promise<void> = Promise.resolve();

  /** `delay` is the time of the next message in milliseconds. */
  constructor(delay: () => number) {
    this.#client = new FlakyClient(this.#store, delay);
    this.#cache = newCache(this.#client, {
      silenceMs: 5,
      showTimeoutMs: 30,
      freshnessTimeoutMs: 100,
      watchStartTimeoutMs: 1_000,
    });
  }

  async step(step: WorldStep): Promise<void> {
    // Each step is of the type that its handler takes.
    await (this.#steps[step.do] as (step: WorldStep) => Promise<void>)(step);
  }

  /** Waits for all lists, and then for right ones over connections that nothing cuts. */
  async end(): Promise<void> {
    this.#client.cutStreams();
    this.#client.cutCalls();
    await Promise.all(this.#lists);
    for (const kind of [...kinds, ...kinds]) await this.#list(kind);
  }

  async close(): Promise<void> {
    await this.#cache.close();
    await this.#client.close();
  }

  readonly #steps: { readonly [K in WorldStep['do']]: (step: WorldStepOf<K>) => Promise<void> } = {
    create: async ({ kind, name }) => {
      const metadata = { name, namespace: 'default', uid: randomUUID(), labels: {} };
      const key = keyOf(kind, name);
      if (!(await this.#has(key))) await this.#write((store) => put(store, key, { ...pod('', ''), metadata }));
    },
    label: async ({ kind, name }) => {
      const { current } = await this.#store.get(keyOf(kind, name));
      if (!current) return;
      const { uid } = metadataOf(current.key, current.value);
      const metadata = { name, namespace: 'default', uid, labels: { label: String(this.#writes.length % 2) } };
      await this.#write((store) => put(store, current.key, { ...pod('', ''), metadata }));
    },
    delete: async ({ kind, name }) => {
      const key = keyOf(kind, name);
      if (await this.#has(key)) await this.#write((store) => remove(store, key));
    },
    'write elsewhere': async () => {
      const key = `/other/${randomUUID()}`;
      await this.#write((store) => store.create(key, Buffer.from('x')));
    },
    list: async ({ kind }) => {
      const listed = this.#list(kind);
      // `end` awaits it.
      listed.catch(() => undefined);
      this.#lists.push(listed);
    },
    'cut calls': async () => this.#client.cutCalls(),
    'cut streams': async ({ forMs }) => this.#client.cutStreams(forMs),
    restore: async ({ lost, outageMs, streamsHang }) => {
      this.#client.target = undefined;
      this.#client.cutCalls();
      if (!streamsHang) this.#client.cutStreams();
      this.#store = new MemoryStore();
      this.#writes = this.#writes.slice(0, Math.max(0, this.#writes.length - lost));
      for (const write of this.#writes) await write(this.#store);
      await this.#changed();
      await pause(outageMs);
      this.#client.target = this.#store;
    },
    pause: ({ ms }) => pause(ms),
  };

  async #has(key: string): Promise<boolean> {
    return (await this.#store.get(key)).current !== undefined;
  }

  async #write(write: Write): Promise<void> {
    this.#writes.push(write);
    this.#writing = write(this.#store).then(() => this.#changed());
    await this.#writing;
  }

  async #changed(): Promise<void> {
    const state: Record<string, string> = {};
    for (const kind of kinds) state[kind.resource] = await storedIn(this.#store, kind);
    this.#states.push(state);
  }

  /** A list is an error, or what was there at some time between its request and its answer. */
  async #list(kind: StorageLocation): Promise<void> {
    const first = this.#states.length - 1;
    try {
      const { objects } = await this.#cache.resource(kind).list({ namespace: '', at: { kind: 'latest' }, limit: 0 });
      const listed = objects
        .map((object) => JSON.stringify(object.decode()['metadata'], ['name', 'uid', 'labels', 'label']))
        .join();
      // Lists may see a write before it has been noted.
      await this.#writing;
      const right = this.#states.slice(first).map((state) => state[kind.resource] ?? '');
      assert.ok(right.includes(listed), `listed ${listed}, which is not one of ${right.join(' | ')}`);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }
}

function keyOf(kind: StorageLocation, name: string): string {
  return objectKey(prefix, kind, 'default', name);
}

function metadataOf(key: string, value: Uint8Array) {
  const { json } = decodeStoredObject(key, value);
  return (JSON.parse(json.toString()) as { metadata: { uid: string } }).metadata;
}

async function storedIn(store: ObjectStore, kind: StorageLocation): Promise<string> {
  const found: string[] = [];
  for await (const { values } of store.list(objectsPrefix(prefix, kind, ''))) {
    for (const { key, value } of values) {
      found.push(JSON.stringify(metadataOf(key, value), ['name', 'uid', 'labels', 'label']));
    }
  }
  return found.join();
}
