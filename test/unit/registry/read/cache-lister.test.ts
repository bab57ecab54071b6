import assert from 'node:assert/strict';
import { labelsOf, nameOf } from '../../../../src/meta/object-meta.ts';
import type { JsonObject } from '../../../../src/meta/json-value.ts';
import type { Lister, ListerQuery } from '../../../../src/meta/lister.ts';
import { cacheLister } from '../../../../src/registry/read/cache-lister.ts';
import { PendingChanges } from '../../../../src/registry/read/pending-changes.ts';
import type { CachedObject } from '../../../../src/storage/objects/cached-object.ts';
import type { CachedResource } from '../../../../src/storage/cache/cached-resource.ts';
import type { ResourceCache } from '../../../../src/storage/cache/resource-cache.ts';
import { StorageError } from '../../../../src/storage/port/storage-error.ts';
import { WatchCache } from '../../../../src/storage/cache/watch-cache.ts';
import { type Fixture, startFixture, write } from '../fixture.ts';

interface Item {
  readonly name: string;
  readonly colors: readonly string[];
}

const location = { group: '', resource: 'configmaps' };

describe('a lister', () => {
  let fixture: Fixture;
  let caches: WatchCache;
  let cache: ResourceCache;
  let lister: Lister<Item, 'color'>;
  let reads: string[];
  const { signal } = new AbortController();
  const read = (object: JsonObject): Item => {
    reads.push(nameOf(object));
    const { color = '' } = labelsOf(object);
    return { name: nameOf(object), colors: color === '' ? [] : [color] };
  };

  beforeEach(() => {
    reads = [];
    fixture = startFixture();
    caches = new WatchCache({ store: fixture.store, prefix: '/registry' });
    cache = caches.resource(location);
    lister = cacheLister(() => cache, { ...location, read, indexes: { color: ({ colors }) => colors } });
  });
  afterEach(async () => {
    await caches.close();
    await fixture.close();
  });
  const maps = () => fixture.registry('configmaps');
  const create = (name: string, color?: string, namespace = 'ns') =>
    maps().create(fixture.scope({ namespace }), { metadata: { name, labels: color ? { color } : {} } }, write);
  const names = async (query: ListerQuery<'color'>): Promise<string[]> => {
    const items = await lister.list({ latest: true, ...query }, signal);
    return items.map(({ name }) => name).toSorted();
  };

  it('finds by name, and what it has not heard of in the store', async () => {
    await create('a', 'red');
    assert.deepEqual(await lister.get('ns', 'a', signal), { name: 'a', colors: ['red'] });
    assert.equal(await lister.get('ns', 'b', signal), undefined);
    assert.equal(await lister.get('other', 'a', signal), undefined);
  });

  it('finds by namespace, label and index, and by several at once', async () => {
    await create('a', 'red');
    await create('b', 'blue');
    await create('c', 'red', 'other');
    await create('d');
    assert.deepEqual(await names({}), ['a', 'b', 'c', 'd']);
    assert.deepEqual(await names({ namespace: 'ns' }), ['a', 'b', 'd']);
    assert.deepEqual(await names({ by: ['color', 'red'] }), ['a', 'c']);
    assert.deepEqual(await names({ by: ['color', 'red'], namespace: 'other' }), ['c']);
    assert.deepEqual(await names({ labels: (labels) => !labels.has('color') }), ['d']);
    assert.deepEqual(await names({ labels: (labels) => labels.get('color') === 'red', namespace: 'ns' }), ['a']);
    assert.deepEqual(await names({ by: ['color', 'green'] }), []);
  });

  it('follows changes, and reads an object once for each of its states', async () => {
    await create('a', 'red');
    await create('b', 'red');
    assert.deepEqual(await names({ by: ['color', 'red'] }), ['a', 'b']);
    const painted = { metadata: { labels: { color: 'blue' } } };
    const patch = { type: 'merge', document: painted, duplicateFields: [] } as const;
    await maps().patch(fixture.scope({ name: 'a' }), patch, write);
    assert.deepEqual(await names({ by: ['color', 'red'] }), ['b']);
    assert.deepEqual(await names({ by: ['color', 'blue'] }), ['a']);
    await maps().delete(fixture.scope({ name: 'b' }), { dryRun: false });
    assert.deepEqual(await names({ by: ['color', 'red'] }), []);
    assert.deepEqual(await names({}), ['a']);
    assert.deepEqual(reads.toSorted(), ['a', 'a', 'b']);
  });

  it('answers at once, without a read or a new list, once it knows', async () => {
    await create('a', 'red');
    await names({});
    const known = lister.list({ by: ['color', 'red'] }, signal);
    assert.ok(Array.isArray(known));
    assert.equal(lister.list({ by: ['color', 'red'] }, signal), known);
    assert.ok(!(lister.get('ns', 'a', signal) instanceof Promise));
  });

  it('has the current objects after the cache was rebuilt', async () => {
    await create('a', 'red');
    await create('b', 'blue');
    await names({});
    // What is read of a cache is one of these.
    (cache as CachedResource).reset(new StorageError('Compacted', 'the history is lost'));
    await maps().delete(fixture.scope({ name: 'a' }), { dryRun: false });
    assert.deepEqual(await names({}), ['b']);
  });

  it('follows the new cache of a resource whose definition changed', async () => {
    await create('a', 'red');
    assert.deepEqual(await names({ by: ['color', 'red'] }), ['a']);
    caches.remove(location);
    cache = caches.resource(location);
    await create('b', 'red');
    assert.deepEqual(await names({ by: ['color', 'red'] }), ['a', 'b']);
    assert.deepEqual(await lister.get('ns', 'b', signal), { name: 'b', colors: ['red'] });
  });

  it('finds nothing of a resource that is not served', async () => {
    const none = cacheLister(() => undefined, { ...location, read });
    assert.equal(await none.get('ns', 'a', signal), undefined);
    assert.deepEqual(await none.list({}, signal), []);
  });

  it('keeps nothing of objects that came and went between two lists', () => {
    const taken: string[] = [];
    const changes = new PendingChanges((key, current) => taken.push(`${key} ${current ? 'written' : 'deleted'}`));
    // Nothing else of an object is looked at.
    const object = (key: string) => ({ key }) as CachedObject;
    changes.change('kept', object('kept'));
    for (let index = 0; index < 1000; index++) {
      changes.change(`k${index}`, object(`k${index}`));
      changes.change(`k${index}`, undefined);
    }
    assert.equal(changes.size, 1);
    void changes.catchUp(signal);
    changes.change('kept', undefined);
    assert.equal(changes.size, 1);
    void changes.catchUp(signal);
    assert.deepEqual(taken, ['kept written', 'kept deleted']);
  });

  it('passes changes to a follower when it asks, also those of a new cache', async () => {
    const items = new Map<string, string>();
    const feed = lister.follow((key, item) => (item ? items.set(key, item.name) : items.delete(key)));
    await create('a');
    await create('b');
    await cache.fresh({ kind: 'latest' }, signal);
    await feed.catchUp(signal);
    assert.deepEqual([...items.values()], ['a', 'b']);
    await maps().delete(fixture.scope({ name: 'b' }), { dryRun: false });
    await cache.fresh({ kind: 'latest' }, signal);
    assert.equal(items.size, 2);
    assert.equal(feed.catchUp(signal), undefined);
    assert.deepEqual([...items.values()], ['a']);
    caches.remove(location);
    cache = caches.resource(location);
    await maps().delete(fixture.scope({ name: 'a' }), { dryRun: false });
    await create('c');
    await feed.catchUp(signal);
    assert.deepEqual([...items.values()], ['c']);
  });

  it('does not answer a caller that has gone with half of the objects', async () => {
    for (let index = 0; index < 60; index++) await create(`m${index}`);
    const gone = new AbortController();
    const slow = cacheLister(() => cache, {
      ...location,
      read: (object): Item => {
        const end = performance.now() + 1;
        while (performance.now() < end);
        gone.abort();
        return read(object);
      },
      indexes: { color: ({ colors }) => colors },
    });
    await cache.fresh({ kind: 'latest' }, signal);
    await assert.rejects(async () => slow.list({}, gone.signal), { name: 'AbortError' });
    assert.equal((await slow.list({}, signal)).length, 60);
  });

  it('reads many objects in more than one turn', async () => {
    for (let index = 0; index < 300; index++) await create(`m${index}`, 'red');
    let turns = 0;
    const count = (): void => {
      turns++;
      if (reads.length < 300) setImmediate(count);
    };
    const slow = cacheLister(() => cache, {
      ...location,
      read: (object): Item => {
        const end = performance.now() + 1;
        while (performance.now() < end);
        return read(object);
      },
      indexes: { color: ({ colors }) => colors },
    });
    await cache.fresh({ kind: 'latest' }, signal);
    setImmediate(count);
    assert.equal((await slow.list({ by: ['color', 'red'] }, signal)).length, 300);
    assert.ok(turns > 5, `${turns} turns`);
  });
});
