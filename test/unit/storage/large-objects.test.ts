import assert from 'node:assert/strict';
import { LargeObjects } from '../../../src/storage/objects/large-objects.ts';
import { packedFromBytes } from '../../../src/storage/objects/packed-json.ts';

const minute = 60_000;

describe('large objects that wait for their compression', () => {
  let packed: string[];
  let objects: LargeObjects;
  beforeEach(() => {
    packed = [];
    objects = new LargeObjects();
  });

  const version = (name: string, size = packedFromBytes) => ({
    size,
    pack: () => {
      packed.push(name);
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
    assert.deepEqual(packed, ['a 99']);
  });
});
