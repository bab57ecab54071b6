import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { RecentObjects } from '../../../src/storage/objects/recent-objects.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';

function configMap(name: string, data: JsonObject, revision: number) {
  const value: JsonObject = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name, namespace: 'n', uid: 'u', managedFields: [] },
    data,
  };
  const stored = { key: `/registry/configmaps/n/${name}`, value: encodeStoredObject(value), revision };
  return { value, object: cachedObject(stored, { namespace: 'n', name }) };
}

describe('The trees of recent objects', () => {
  it('are what the bytes say, for what was written and for what was read', () => {
    const recent = new RecentObjects();
    const { value, object } = configMap('a', { large: 2n ** 60n, text: 'ü' }, 7);
    recent.remember(object, { value, texts: new Map() });
    assert.deepEqual(recent.treeOf(object), object.decode());
    assert.deepEqual((recent.treeOf(object)['metadata'] as JsonObject)['resourceVersion'], '7');
    const { object: other } = configMap('b', { x: '1' }, 8);
    assert.deepEqual(recent.treeOf(other), other.decode());
    assert.equal(recent.treeOf(other), recent.treeOf(other));
  });

  it('serve the same state however it came into the cache, and no other', () => {
    const recent = new RecentObjects();
    const { value, object } = configMap('a', { x: '1' }, 7);
    recent.remember(object, { value, texts: new Map() });
    const tree = recent.treeOf(object);
    assert.equal(recent.treeOf(configMap('a', { x: '1' }, 7).object), tree);
    // After a restored backup, the same key has another state at the same revision.
    assert.equal(JSON.stringify(recent.treeOf(configMap('a', { x: '2' }, 7).object)['data']), '{"x":"2"}');
    assert.notEqual(recent.treeOf(configMap('a', { x: '2' }, 8).object), tree);
  });

  it('are kept for the newest few, and not for the very large', () => {
    const recent = new RecentObjects();
    const objects = Array.from({ length: 40 }, (_, i) => configMap(`o${i}`, { x: 'x'.repeat(100_000) }, i + 1));
    const trees = objects.map(({ object }) => recent.treeOf(object));
    assert.equal(recent.treeOf(objects[39]?.object ?? assert.fail()), trees[39]);
    assert.notEqual(recent.treeOf(objects[0]?.object ?? assert.fail()), trees[0]);
    const { object } = configMap('large', { x: 'x'.repeat(300_000) }, 99);
    assert.notEqual(recent.treeOf(object), recent.treeOf(object));
  });

  it('are dropped after a while if the objects were replaced', () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const recent = new RecentObjects();
      const [kept, replaced, created] = ['a', 'b', 'c'].map((name, i) => configMap(name, { x: '1' }, i + 1));
      assert.ok(kept && replaced && created);
      for (const { object } of [kept, replaced]) recent.treeOf(object);
      recent.remember(created.object, { value: created.value, texts: new Map() }, true);
      for (const { object } of [replaced, created]) object.retire();
      const isKept = (): boolean[] => [kept, replaced, created].map(({ object }) => object.value !== undefined);
      assert.deepEqual(isKept(), [true, true, true], 'their events are encoded from them');
      mock.timers.tick(60_000);
      assert.deepEqual(isKept(), [true, false, false]);
    } finally {
      mock.timers.reset();
    }
  });

  it('are those of the newest few objects that were created and not changed since', () => {
    const recent = new RecentObjects();
    const made = Array.from({ length: 20 }, (_, i) => configMap(`o${i}`, { x: 'x'.repeat(10_000) }, i + 1));
    for (const { object, value } of made) recent.remember(object, { value, texts: new Map() }, true);
    const kept = made.filter(({ object }) => object.value);
    assert.ok(kept.length >= 10 && kept.length < 20 && kept.at(-1) === made.at(-1), `${kept.length} are kept`);
    recent.remember(made[19]?.object ?? assert.fail(), { value: made[19]?.value ?? {}, texts: new Map() });
    for (const { object, value } of made.slice(0, 15)) recent.remember(object, { value, texts: new Map() }, true);
    assert.ok(made[19]?.object.value);
  });
});
