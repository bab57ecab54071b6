import assert from 'node:assert/strict';
import type { MaybePromise } from '../../../src/async/maybe-promise.ts';
import type { Transformer } from '../../../src/storage/encryption/ciphers/transformer.ts';
import { encryptedStore, segmentsOf } from '../../../src/storage/encryption/encrypted-store.ts';
import type { CacheEvent } from '../../../src/storage/cache/resource-cache.ts';
import { objectKey } from '../../../src/storage/port/object-key.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import { StorageError } from '../../../src/storage/port/storage-error.ts';
import { WatchCache } from '../../../src/storage/cache/watch-cache.ts';
import {
  after,
  code,
  describeEvents,
  eventually,
  FaultyStore,
  nodes,
  pod,
  podKey,
  pods,
  prefix,
  put,
  putPod,
  readWatch,
  touch,
} from './fixture.ts';

const latest = { namespace: '', at: { kind: 'latest' }, limit: 0 } as const;

/** The key of a plugin, which can be down. Values of pods are marked by it. */
class Plugin implements Transformer {
  readonly provider = 'test';
  readonly prefix = Buffer.from('sealed:');
  isDown = false;
  /** True while its key is in this process. */
  isNear = false;
  fault: TypeError | undefined;
  asked = 0;

  encrypt(value: Uint8Array): Buffer {
    return Buffer.concat([this.prefix, value]);
  }

  decrypt(stored: Buffer): MaybePromise<{ readonly value: Buffer; readonly stale: boolean }> {
    this.asked++;
    if (this.fault) throw this.fault;
    const plain = { value: stored.subarray(this.prefix.length), stale: false };
    return this.isNear ? plain : this.#ask(plain);
  }

  async #ask<Plain>(plain: Plain): Promise<Plain> {
    await Promise.resolve();
    if (this.isDown) throw new StorageError('Unavailable', 'the plugin is down');
    return plain;
  }
}

describe('the watch cache over encrypted values, while their key is unavailable', () => {
  let plugin: Plugin;
  let faulty: FaultyStore;
  let store: ObjectStore;
  let cache: WatchCache;
  let said: string[];
  beforeEach(async () => {
    plugin = new Plugin();
    faulty = new FaultyStore();
    store = encryptedStore(faulty, segmentsOf(prefix), {
      transformersOf: (segment) => (segment === 'pods' ? [plugin] : undefined),
      onUnreadable: (key) => assert.fail(key),
    });
    said = [];
    const settings = { freshnessTimeoutMs: 300, objectPatienceMs: 50, silenceMs: 10 };
    cache = new WatchCache({ store, prefix, settings, log: (message) => void said.push(message) });
    await putPod(store, 'default', 'first');
    await Promise.all([cache.resource(pods).list(latest), cache.resource(nodes).list(latest)]);
  });
  afterEach(async () => {
    await cache.close();
    await store.close();
  });

  const putNode = (name: string) =>
    put(store, objectKey(prefix, nodes, '', name), { kind: 'Node', apiVersion: 'v1', metadata: { name } });
  const namesOf = (events: readonly CacheEvent[]) =>
    events.flatMap((event) => (event.type === 'BOOKMARK' ? [] : event.object.name));
  const podNames = async () => (await cache.resource(pods).list(latest)).objects.map(({ name }) => name);

  it('delays only the events of that resource, in order, and loses none', async () => {
    const ofPods = readWatch(cache.resource(pods));
    const ofNodes = readWatch(cache.resource(nodes));
    plugin.isDown = true;
    for (let index = 0; index < 25; index++) await putPod(store, 'default', `p${index}`);
    await putNode('free');
    await ofNodes.until(1);
    assert.equal((await cache.resource(nodes).list(latest)).objects.length, 1);
    assert.deepEqual(namesOf(ofPods.events), ['first']);
    await eventually(() => said.some((message) => message.includes('wait for a key')));
    await assert.rejects(podNames(), code('Unavailable'), 'a list that would lack changes');
    assert.deepEqual((await cache.resource(pods).get('default', 'first', { kind: 'any' })).object?.name, 'first');

    plugin.isDown = false;
    await ofPods.until(26);
    assert.deepEqual(namesOf(ofPods.events), ['first', ...Array.from({ length: 25 }, (_, index) => `p${index}`)]);
    assert.equal((await podNames()).length, 26);
    assert.equal(said.filter((message) => message.includes('wait for a key')).length, 1, 'said once');
  });

  it('is not delayed by a damaged value, except for its resource', async () => {
    plugin.isNear = true;
    plugin.fault = new TypeError('a fault of the server');
    await putPod(store, 'default', 'poison');
    await putNode('free');
    await eventually(() => cache.resource(nodes).peek('', 'free') !== undefined);
    plugin.fault = undefined;
    await eventually(() => cache.resource(pods).peek('default', 'poison') !== undefined);
    assert.equal(said.length, 1, said.join('\n'));
  });

  it('reports no revision beyond a waiting change, and decrypts nothing that no cache needs', async () => {
    plugin.isDown = true;
    const held = await putPod(store, 'default', 'held');
    await putNode('later');
    const any = { ...latest, at: { kind: 'any' } } as const;
    await eventually(() => cache.revision > held);
    assert.ok((await cache.resource(pods).list(any)).revision < held);
    assert.ok((await cache.resource(nodes).list(any)).revision > held);

    await using idle = { cache: new WatchCache({ store, prefix }), [Symbol.asyncDispose]: () => idle.cache.close() };
    await idle.cache.resource(nodes).list(latest);
    plugin.isDown = false;
    await eventually(() => cache.resource(pods).peek('default', 'held') !== undefined);
    const { asked } = plugin;
    const written = await putPod(store, 'default', 'last');
    await eventually(
      () => idle.cache.revision >= written && cache.resource(pods).peek('default', 'last') !== undefined,
    );
    assert.equal(plugin.asked, asked + 1, 'once, for the cache that has pods');
  });

  it('drops waiting changes over the limit, ends the watches, and reads everything again', async () => {
    const ofPods = readWatch(cache.resource(pods));
    plugin.isDown = true;
    const large = 'x'.repeat(1 << 20);
    for (let index = 0; index < 17; index++) {
      await put(store, podKey('default', `large${index}`), pod('default', `large${index}`, {}, { spec: { large } }));
    }
    assert.ok(code('Compacted')(await ofPods.done));
    plugin.isDown = false;
    await eventually(() => cache.resource(pods).peek('default', 'large16') !== undefined);
    assert.equal((await podNames()).length, 18);
  });

  it('shares one reading of the history, unless a key has to be waited for', async () => {
    const start = await touch(store);
    const made = [await putPod(store, 'default', 'late'), await putNode('late')];
    await using fresh = { cache: new WatchCache({ store, prefix }), [Symbol.asyncDispose]: () => fresh.cache.close() };
    const read = async (): Promise<number> => {
      faulty.counts.watch = 0;
      const resumed = [pods, nodes].map((location) => readWatch(fresh.cache.resource(location), after(start)));
      for (const [index, each] of resumed.entries()) {
        await each.until(1);
        assert.deepEqual(describeEvents(each.events), [`ADDED late ${made[index]}`]);
        await each.stop();
      }
      return faulty.counts.watch;
    };
    await Promise.all([pods, nodes].map((location) => fresh.cache.resource(location).list(latest)));
    assert.equal(await read(), 2, 'a plugin is asked');
    plugin.isNear = true;
    await fresh.cache.close();
    fresh.cache = new WatchCache({ store, prefix });
    await Promise.all([pods, nodes].map((location) => fresh.cache.resource(location).list(latest)));
    assert.equal(await read(), 1, 'the key is here');
  });

  it('compares the encrypted values when a broken watch is resumed, and not the plain ones', async () => {
    plugin.isDown = true;
    await putPod(store, 'default', 'second');
    await eventually(() => said.length > 0);
    plugin.isDown = false;
    faulty.cut();
    await putPod(store, 'default', 'third');
    await eventually(() => cache.resource(pods).peek('default', 'third') !== undefined);
    assert.deepEqual((await podNames()).length, 3);
    assert.ok(!said.some((message) => message.includes('history of the store was lost')), said.join('\n'));
  });
});
