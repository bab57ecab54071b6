import assert from 'node:assert/strict';
import type { CachedObject } from '../../../src/storage/objects/cached-object.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { LargeObjects, packedFromBytes } from '../../../src/storage/objects/large-objects.ts';
import { joinedItems, ListBytesCache } from '../../../src/storage/objects/list-bytes-cache.ts';
import { itemsJson } from '../../../src/storage/objects/items-json.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { FaultyStore, newCache, pod, podKey, pods, putBytes } from './fixture.ts';

const text = 'a description of a field, é, and another. '.repeat(packedFromBytes / 40);
const noise = Buffer.from(Uint8Array.from({ length: packedFromBytes }, () => Math.random() * 256)).toString('base64');

const stored = (name: string, content = text) => ({
  key: podKey('default', name),
  value: encodeStoredObject(pod('default', name, { app: name }, { spec: { text: content } })),
  revision: 7,
});

function read(name: string, content?: string): CachedObject {
  const object = cachedObject(stored(name, content), { namespace: 'default', name });
  object.enter();
  return object;
}

async function packed(name: string): Promise<CachedObject> {
  const object = read(name);
  await object.pack();
  assert.ok(isPacked(object));
  return object;
}

/** Reports whether the bytes are inflated at each call. */
function isPacked(object: Pick<CachedObject, 'json'>): boolean {
  return object.json !== object.json;
}

function listed(objects: readonly CachedObject[]): string {
  const joined = joinedItems(new ListBytesCache(), { ended: false }, objects);
  return Buffer.concat([...itemsJson(objects, joined).pieces()]).toString();
}

describe('a compressed object', () => {
  it('is what it was', async () => {
    const [plain, object] = [read('a'), await packed('a')];
    assert.equal(object.json.toString(), plain.json.toString());
    assert.equal(object.size, plain.size);
    assert.deepEqual(object.index(), plain.index());
    assert.equal(object.withRevision(12345).json.toString(), plain.withRevision(12345).json.toString());
    assert.equal(listed([read('b', 'x'), object, read('c', 'x')]), listed([read('b', 'x'), plain, read('c', 'x')]));
  });

  it('begins as it did', async () => {
    const [plain, object] = [read('a'), await packed('a')];
    const head = plain.json.subarray(0, 30);
    for (const each of [plain, object]) {
      assert.ok(each.beginsWith(head));
      assert.ok(!each.beginsWith(Buffer.from('{"kind":"Pot","apiVersion":"v1",')));
    }
  });

  it('stays so when it is listed and when it is replaced', async () => {
    const object = await packed('a');
    listed([object, await packed('b')]);
    assert.ok(isPacked(object));
    object.retire();
    assert.ok(isPacked(object));
  });

  it('is none whose bytes would stay as they are', async () => {
    const object = read('a', noise);
    await object.pack();
    assert.ok(!isPacked(object));
  });

  it('is none that was replaced', async () => {
    const object = read('a');
    const packing = object.pack();
    object.retire();
    await packing;
    assert.ok(!isPacked(object));
  });
});

describe('large objects', () => {
  it('are compressed when they have rested', async () => {
    const large = new LargeObjects();
    const [object, small] = [read('a'), read('b', 'x')];
    large.changed('a', object, 1_000);
    large.changed('b', small, 1_000);
    await large.pack(60_999);
    assert.ok(!isPacked(object));
    await large.pack(61_000);
    assert.ok(isPacked(object));
    assert.ok(!isPacked(small));
  });

  it('of a store are compressed as they are read, others not', async () => {
    const store = new FaultyStore();
    for (const [name, content] of [
      ['a', text],
      ['b', 'x'],
      ['c', noise],
      ['d', text],
    ] as const) {
      await putBytes(store, podKey('default', name), Buffer.from(stored(name, content).value));
    }
    await putBytes(store, podKey('default', 'e'), Buffer.alloc(2 * packedFromBytes));
    const cache = newCache(store);
    try {
      const { objects } = await cache.resource(pods).list({ namespace: '', at: { kind: 'latest' }, limit: 0 });
      assert.deepEqual(
        objects.map(({ name }) => name),
        ['a', 'b', 'c', 'd'],
      );
      assert.deepEqual(objects.map(isPacked), [true, false, false, true]);
      for (const { name, json, revision } of objects) {
        const content = { a: text, b: 'x', c: noise, d: text }[name];
        const expected = cachedObject({ ...stored(name, content), revision }, { namespace: 'default', name });
        assert.equal(json.toString(), expected.json.toString());
      }
    } finally {
      await cache.close();
    }
  });
});

const minute = 60_000;

describe('large objects that wait for their compression', () => {
  let compressed: string[];
  let objects: LargeObjects;
  beforeEach(() => {
    compressed = [];
    objects = new LargeObjects();
  });

  const version = (name: string, size = packedFromBytes) => ({
    size,
    pack: () => {
      compressed.push(name);
      return Promise.resolve();
    },
  });

  it('are not kept in versions that have been replaced, nor after their deletion', async () => {
    for (let count = 0; count < 100; count++) objects.changed('a', version(`a ${count}`), count);
    objects.changed('b', version('b'), 0);
    objects.changed('b', undefined, 1);
    objects.changed('c', version('c'), 0);
    objects.changed('c', version('small', 1), 1);
    await objects.pack(2 * minute);
    assert.deepEqual(compressed, ['a 99']);
  });
});
