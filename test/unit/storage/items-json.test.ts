import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { CacheListQuery, ObjectFilter } from '../../../src/storage/cache/resource-cache.ts';
import type { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import { eventually, FaultyStore, newCache, pod, podKey, pods, put, putPod, remove } from './fixture.ts';

const latest = { kind: 'latest' } as const;

/** A selection as the model makes it, and as the cache is asked for it. */
interface Selection {
  readonly name: string;
  readonly selects: (object: JsonObject) => boolean;
  readonly query: Partial<CacheListQuery>;
}

type Labelled = JsonObject & { readonly metadata: { readonly namespace: string; readonly labels: JsonObject } };

const isRed: ObjectFilter = ({ labels }) => labels.get('color') === 'red';
const selections: readonly Selection[] = [
  { name: 'all', selects: () => true, query: {} },
  {
    name: 'one namespace',
    selects: (object) => (object as Labelled).metadata.namespace === 'n1',
    query: { namespace: 'n1' },
  },
  {
    name: 'one label',
    selects: (object) => (object as Labelled).metadata.labels['color'] === 'red',
    query: { filter: isRed },
  },
  {
    name: 'one label by an index',
    selects: (object) => (object as Labelled).metadata.labels['color'] === 'red',
    query: { filter: isRed, terms: { all: [{ kind: 'label', name: 'color', values: ['red'] }], complete: true } },
  },
];

/** What each of some steps does: writes or deletes one object, then lists a selection, whole or in pages. */
const step = fc.record({
  at: fc.nat(59),
  bytes: fc.option(fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.constant(90_000)), { nil: undefined, freq: 5 }),
  red: fc.boolean(),
  selection: fc.constantFrom(...selections),
  limit: fc.constantFrom(0, 0, 7, 25),
});

/** What a list must have: the objects of the model in the order of their keys, without their type. */
function naiveList(model: ReadonlyMap<string, JsonObject>, { selects }: Selection): JsonObject[] {
  return [...model.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, object]) => object)
    .filter(selects)
    .map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item);
}

/** The items of a list, or of all of its pages, as its bytes have them. */
async function listed(cache: WatchCache, { query }: Selection, limit: number): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for (let more: Partial<CacheListQuery> | undefined = {}; more; ) {
    const list = await cache.resource(pods).list({ namespace: '', at: latest, limit, ...query, ...more });
    const { length, pieces } = list.json();
    const bytes = Buffer.concat([...pieces()]);
    assert.equal(bytes.length, length);
    // An array of what this test has written.
    items.push(...(JSON.parse(`[${bytes.toString()}]`) as JsonObject[]));
    const { lastKey: afterKey, revision } = list;
    more = afterKey === undefined ? undefined : { afterKey, at: { kind: 'exact', revision } };
  }
  return items;
}

describe('the items of a list as JSON', () => {
  it('are those of a naive list, for every selection between random writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), fc.nat(60), async (steps, before) => {
        const store = new FaultyStore();
        const model = new Map<string, JsonObject>();
        const write = async (at: number, bytes: number, red: boolean): Promise<void> => {
          const [namespace, name] = [`n${at % 3}`, `p${String(at).padStart(2, '0')}`];
          const key = podKey(namespace, name);
          const object = pod(
            namespace,
            name,
            { color: red ? 'red' : 'blue' },
            { spec: { text: 'é'.repeat(bytes / 2) } },
          );
          const { uid, ...rest } = object['metadata'] as JsonObject;
          const resourceVersion = String(await put(store, key, object));
          model.set(key, { ...object, metadata: { uid: uid ?? null, resourceVersion, ...rest } });
        };
        // So many are there when the cache is filled, which reads neighbours together.
        for (let at = 0; at < before; at++) await write(at, 4_000 + at * 10, at % 2 === 0);
        const cache = newCache(store);
        for (const { at, bytes, red, selection, limit } of steps) {
          const key = podKey(`n${at % 3}`, `p${String(at).padStart(2, '0')}`);
          if (bytes !== undefined) await write(at, bytes, red);
          else if (model.delete(key)) await remove(store, key);
          assert.deepEqual(await listed(cache, selection, limit), naiveList(model, selection), selection.name);
        }
        for (const selection of selections) {
          assert.deepEqual(await listed(cache, selection, 0), naiveList(model, selection), selection.name);
        }
        await cache.close();
        await store.close();
      }),
      { numRuns: 20 },
    );
  });
});

const count = 400;
const nameOf = (index: number): string => `p${String(index).padStart(3, '0')}`;
/** Every second pod is odd; a list of those is more than 64 KiB. */
const odd: ObjectFilter = ({ labels }) => labels.get('odd') === 'true';

describe('the joined items of a selection', () => {
  let store: FaultyStore;
  let cache: WatchCache;
  const write = (index: number, bytes = 1_100): Promise<number> => {
    const labels = { odd: String(index % 2 === 1) };
    const text = `${Math.random()}`.padEnd(bytes, 'x');
    return put(store, podKey('ns', nameOf(index)), pod('ns', nameOf(index), labels, { spec: { text } }));
  };
  const list = (filter?: ObjectFilter) =>
    cache.resource(pods).list({ namespace: '', at: latest, limit: 0, ...(filter ? { filter } : {}) });
  const piecesOf = async (filter?: ObjectFilter): Promise<readonly Buffer[]> => [
    ...(await list(filter)).json().pieces(),
  ];
  const buffersOf = (pieces: readonly Buffer[]) => pieces.map(({ buffer }) => buffer);

  beforeEach(async () => {
    store = new FaultyStore();
    for (let index = 0; index < count; index++) await write(index);
    cache = newCache(store);
  });
  afterEach(async () => {
    await cache.close();
    await store.close();
  });

  it('are the same buffers for the next list', async () => {
    const first = await piecesOf(odd);
    assert.ok(cache.listBytes > 100_000, `${cache.listBytes}`);
    assert.deepEqual(buffersOf(await piecesOf(odd)), buffersOf(first));
    const bytes = first.reduce((sum, { length }) => sum + length, 1);
    assert.equal(cache.listBytes, bytes, 'with the comma before the first item');
  });

  it('of everything are too, but for the piece in which an object was changed', async () => {
    for (let index = 0; index < count; index++) await write(index, 5_000);
    const before = await piecesOf();
    assert.ok(before.length > 3);
    await write(250, 5_000);
    const after = await piecesOf();
    const same = after.filter(({ buffer }) => buffersOf(before).includes(buffer));
    assert.equal(same.length, before.length - 1);
    assert.ok(after.every(({ length }) => length < 600_000));
  });

  it('are joined when they are taken, and by one of the lists that need them', async () => {
    const [one, other] = [(await list()).json(), (await list()).json()];
    assert.equal(cache.listBytes, 0);
    assert.deepEqual(buffersOf([...one.pieces()]), buffersOf([...other.pieces()]));
  });

  it('are not kept where they are few, as large objects are', async () => {
    const few: ObjectFilter = ({ fields }) => Number(fields.get('metadata.name')?.slice(1)) < 20;
    assert.equal((await piecesOf(few)).length, 1);
    assert.equal(cache.listBytes, 0);
    for (let index = 0; index < 20; index++) await write(index, 70_000);
    assert.equal((await piecesOf(few)).length, 3);
    assert.equal(cache.listBytes, 0);
  });

  it('are not kept of a list that would take the place of all others', async () => {
    for (let index = 0; index < count; index++) await write(index, 30_000);
    await piecesOf(odd);
    const kept = cache.listBytes;
    assert.ok(kept > 1_000_000);
    for (let index = 0; index < count; index++)
      await put(
        store,
        podKey('more', nameOf(index)),
        pod('more', nameOf(index), {}, { spec: { text: 'x'.repeat(40_000) } }),
      );
    const [one, other] = [await piecesOf(), await piecesOf()];
    assert.ok(one.length > 50);
    assert.ok(other.every(({ buffer }) => !buffersOf(one).includes(buffer)));
    assert.equal(cache.listBytes, kept);
    const items = (await list()).json();
    const used = new Set<ArrayBufferLike>();
    const copied: Buffer[] = [];
    for (const piece of items.pieces()) {
      copied.push(Buffer.from(piece));
      used.add(piece.buffer);
      items.release?.(piece);
    }
    assert.equal(used.size, 1, 'a writer that gives each piece back uses one buffer');
    assert.ok(Buffer.concat(copied).equals(Buffer.concat(one)));
  });

  it('are given up when one of the objects is changed or deleted, for no list can have them again', async () => {
    for (const change of [() => write(201), () => remove(store, podKey('ns', nameOf(203)))]) {
      await piecesOf(odd);
      assert.ok(cache.listBytes > 0);
      await change();
      await list();
      assert.equal(cache.listBytes, 0);
    }
  });

  it('stay when others are changed', async () => {
    await piecesOf(odd);
    const kept = cache.listBytes;
    await write(200);
    await list();
    assert.equal(cache.listBytes, kept);
  });

  it('are not kept of a past state', async () => {
    const past = await list(odd);
    await write(1);
    await list();
    assert.equal([...past.json().pieces()].length, 1);
    assert.equal(cache.listBytes, 0);
  });

  it('go with the history of the store', async () => {
    const held = await list(odd);
    await piecesOf(odd);
    assert.ok(cache.listBytes > 0);
    store.unavailable = true;
    store.cut();
    await store.inner.compact(await putPod(store.inner, 'ns', 'z'));
    store.unavailable = false;
    await eventually(() => cache.listBytes === 0);
    await eventually(() => cache.problems().length === 0);
    assert.equal(cache.listBytes, 0);
    assert.equal([...held.json().pieces()].length, 1);
    assert.equal(cache.listBytes, 0, 'nor are they kept of what was listed before');
  });

  it('show an object that left a buffer which it shared with its neighbours', async () => {
    const before = (await list()).objects;
    const shared = new Set(before.map(({ json }) => json.buffer));
    assert.equal(shared.size, count / 8, 'the objects that were there share buffers of eight');
    for (let index = 0; index < count; index += 2) await write(index);
    const texts = (await list()).objects.map(({ json }) => json.toString());
    for (const object of before) object.keepApart();
    assert.deepEqual(
      (await list()).objects.map(({ json }) => json.toString()),
      texts,
    );
    assert.ok(before.every(({ json }) => json.buffer.byteLength === json.length));
  });
});
