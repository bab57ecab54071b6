import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ListBytesCache } from '../../../src/storage/objects/list-bytes-cache.ts';
import { layOutDocuments, layOutObjects } from '../../../src/storage/objects/list-layout.ts';
import { ItemSlab, settleIn, slabBytes, SlabWriter } from '../../../src/storage/objects/item-slab.ts';
import { cachedObject, type CacheEntry } from '../../../src/storage/objects/cache-entry.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { pod } from './fixture.ts';

function read(name: string, bytes: number, slabs?: SlabWriter, revision = 7): CacheEntry {
  const value = encodeStoredObject(pod('default', name, {}, { spec: { text: 'é'.repeat(bytes / 2) } }));
  const object = cachedObject(
    { key: `/k/${name}`, value, revision },
    { namespace: 'default', name },
    slabs && { slabs },
  );
  object.enter();
  return object;
}

function fill(sizes: readonly number[]): CacheEntry[] {
  const slabs = new SlabWriter();
  const objects = sizes.map((bytes, index) => read(`p${index}`, bytes, slabs));
  slabs.close();
  return objects;
}

const cache = new ListBytesCache();
const owner = { ended: false };

function sent(items: readonly CacheEntry[], gapless = true): { text: string; pieces: readonly Buffer[] } {
  const layout = layOutObjects(items, { gapless, cache, owner });
  const pieces = [...layout.pieces()];
  const body = Buffer.concat(pieces);
  assert.equal(body.length, layout.length);
  return { text: body.toString(), pieces };
}

/** What the list has to be, made of the whole documents. */
function expected(items: readonly CacheEntry[]): string {
  return items.map(({ json, itemStart }) => `{${json.subarray(itemStart).toString()}`).join(',');
}

describe('slabs of list items', () => {
  const sizes = fc.array(fc.oneof(fc.nat(2_000), fc.nat(100_000), fc.constant(140_000)), { maxLength: 40 });

  it('have the same objects and lists as buffers of their own', () => {
    fc.assert(
      fc.property(sizes, (some) => {
        const packed = fill(some);
        const alone = some.map((bytes, index) => read(`p${index}`, bytes));
        for (const { slab, slabStart, itemLength, size, json } of packed) {
          assert.equal(slab === undefined, itemLength > slabBytes / 2);
          assert.equal(slab?.bytes[slabStart] ?? 0x2c, 0x2c);
          assert.equal(size, json.length);
        }
        assert.deepEqual(
          packed.map(({ json }) => json.toString()),
          alone.map(({ json }) => json.toString()),
        );
        assert.equal(sent(packed).text, expected(alone));
        assert.equal(sent(alone).text, expected(alone));
        const { length, pieces } = layOutDocuments(packed);
        assert.equal(Buffer.concat([...pieces()]).toString(), expected(alone));
        assert.equal(length, Buffer.byteLength(expected(alone)));
      }),
      { numRuns: 30 },
    );
  });

  it('show the same list whatever is replaced, selected and listed between, and keep alive at most twice what is used', () => {
    const step = fc.record({ at: fc.nat(), replace: fc.boolean(), every: fc.integer({ min: 1, max: 3 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const objects = fill(Array.from({ length: 400 }, (_, index) => 700 + (index % 7) * 100));
        let revision = 100;
        for (const { at, replace, every } of steps) {
          const replaced = replace ? 10 : 0;
          for (let count = 0; count < replaced; count++) {
            const place = (at + count * 13) % objects.length;
            const previous = objects[place];
            objects[place] = read(`p${place}`, 500 + ((at + count) % 900), undefined, revision++);
            previous?.retire();
            assert.equal(previous?.slab, undefined);
          }
          const items = objects.filter((_, index) => index % every === 0);
          assert.equal(sent(items, every === 1).text, expected(items));
        }
        const slabs = new Set(objects.map(({ slab }) => slab).filter((slab) => slab !== undefined));
        for (const slab of slabs) {
          const used = objects.filter((object) => object.slab === slab);
          const bytes = used.reduce((sum, { itemLength }) => sum + itemLength, 0);
          assert.ok(bytes * 2 >= slab.bytes.length, `${bytes} of ${slab.bytes.length}`);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('send a list from where it lies, and take in again what was replaced', () => {
    const objects = fill(Array.from({ length: 400 }, () => 900));
    const slabs = new Set(objects.map(({ slab }) => slab?.bytes.buffer));
    const direct = sent(objects).pieces.filter(({ buffer }) => slabs.has(buffer));
    assert.equal(direct.length, slabs.size);
    const changed = objects.map((previous, index) => {
      if (index % 20 !== 0) return previous;
      const current = read(`p${index}`, 900, undefined, 1000 + index);
      previous.retire();
      return current;
    });
    sent(changed);
    assert.equal(changed.filter(({ slab }) => !slab).length, 0);
    assert.ok(sent(changed).pieces.some((piece) => piece.buffer === changed[100]?.slab?.bytes.buffer));
  });

  it('take in a whole list also where a selection of it was joined before', () => {
    const objects = Array.from({ length: 200 }, (_, index) => read(`p${index}`, 900));
    sent(objects.slice(0, 150), false);
    sent(objects);
    assert.equal(objects.filter(({ slab }) => !slab).length, 0);
  });

  it('are not made of a short list, nor is a short selection kept', () => {
    const objects = Array.from({ length: 20 }, (_, index) => read(`p${index}`, 900));
    const before = cache.bytes;
    sent(objects.slice(0, 10), false);
    sent(objects);
    assert.equal(objects.filter(({ slab }) => slab).length, 0);
    assert.equal(cache.bytes, before);
  });

  it('take no object that is of the past or of another kind', () => {
    const past = read('a', 100);
    past.retire();
    const current = read('b', 2_000);
    const other = cachedObject(
      { key: '/k/c', value: encodeStoredObject({ ...pod('default', 'c'), kind: 'Other' }), revision: 1 },
      { namespace: 'default', name: 'c' },
    );
    other.enter();
    const items = [current, past, other];
    settleIn(Buffer.from(`,${expected(items)}`), items);
    assert.ok(current.slab instanceof ItemSlab);
    assert.deepEqual([past.slab, other.slab], [undefined, undefined]);
    assert.equal(current.json.toString(), read('b', 2_000).json.toString());
  });

  it('give way when history keeps an object', () => {
    const [kept, ...others] = fill([900, 900, 900, 900]);
    const before = kept?.json.toString();
    for (const other of others) other.retire();
    assert.equal(kept?.slab, undefined, 'what is left in a slab that is hardly used stands alone');
    assert.equal(kept?.json.toString(), before);
    assert.equal(kept?.withRevision(12345).decode()['kind'], 'Pod');
    assert.match(kept?.withRevision(12345).json.toString() ?? '', /"resourceVersion":"12345"/);
  });
});
