import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { CachedObject } from '../../../src/storage/objects/cached-object.ts';
import { guaranteedUpdate, type WriteDecision } from '../../../src/storage/objects/guaranteed-update.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { StorageError } from '../../../src/storage/port/storage-error.ts';
import { code, FaultyStore, pod, podKey, putPod, remove } from './fixture.ts';

type GuaranteedUpdate = Parameters<typeof guaranteedUpdate>[0];
type Transform = GuaranteedUpdate['transform'];

const key = podKey('default', 'x');
const context = { namespace: 'default', name: 'x' };

describe('a guaranteed update', () => {
  let store: FaultyStore;
  beforeEach(() => {
    store = new FaultyStore();
  });

  const update = (transform: Transform, more: Partial<GuaranteedUpdate> = {}) =>
    guaranteedUpdate({ store, key, context, transform, ...more });
  const live = async (): Promise<CachedObject | undefined> => {
    const { current } = await store.inner.get(key);
    return current && cachedObject(current, context);
  };

  it('creates what is not there', async () => {
    const outcome = await update(increment);
    assert.equal(outcome.action, 'created');
    assert.equal(outcome.previous, undefined);
    assert.equal(outcome.object?.json.toString(), (await live())?.json.toString());
  });

  it('writes in one call from a suggestion that is current', async () => {
    await putPod(store, 'default', 'x');
    const suggestion = { object: await live() };
    store.counts.get = 0;
    const outcome = await update(increment, { suggestion });
    assert.equal(outcome.action, 'updated');
    assert.equal(outcome.previous, suggestion.object);
    assert.equal(store.counts.get, 0);
    assert.equal(outcome.object?.revision, (await live())?.revision);
  });

  it('creates in one call where the suggestion knows of none', async () => {
    store.counts.get = 0;
    const outcome = await update(increment, { suggestion: { object: undefined } });
    assert.equal(outcome.action, 'created');
    assert.equal(store.counts.get, 0);
    assert.equal(outcome.object?.revision, (await live())?.revision);
  });

  it('finds what has come since the suggestion knew of none', async () => {
    await putPod(store, 'default', 'x', { n: '5' });
    const outcome = await update(increment, { suggestion: { object: undefined } });
    assert.equal(outcome.action, 'updated');
    assert.equal(count(outcome.object), 6);
    const picky: Transform = (current) => {
      if (!current) throw new Error('none');
      return increment(current);
    };
    assert.equal(count((await update(picky, { suggestion: { object: undefined } })).object), 7);
  });

  it('runs again on what it lost to, from a stale suggestion and without a read', async () => {
    await putPod(store, 'default', 'x', { n: '1' });
    const suggestion = { object: await live() };
    await putPod(store, 'default', 'x', { n: '10' });
    store.counts.get = 0;
    const outcome = await update(increment, { suggestion });
    assert.equal(count(outcome.object), 11);
    assert.equal(store.counts.get, 0);
  });

  it('loses no increment of eight writers', async () => {
    const writes = Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 25; i++) await update(increment);
    });
    await Promise.all(writes);
    assert.equal(count(await live()), 200);
  });

  it('believes no error on a stale suggestion', async () => {
    await putPod(store, 'default', 'x', { n: '1' });
    const suggestion = { object: await live() };
    await putPod(store, 'default', 'x', { n: '2' });
    const picky: Transform = (current) => {
      if (count(current) !== 2) throw new Error('not two');
      return increment(current);
    };
    assert.equal(count((await update(picky, { suggestion })).object), 3);
    await assert.rejects(update(picky, { suggestion: { object: await live() } }), /not two/);
  });

  it('writes nothing when nothing changed', async () => {
    const revision = await putPod(store, 'default', 'x', { n: '1' });
    const outcome = await update((current) => ({ action: 'put', value: current?.decode() ?? {} }));
    assert.equal(outcome.action, 'kept');
    assert.equal(outcome.revision, revision);
    assert.equal((await live())?.revision, revision);
  });

  it('believes that nothing changed only on a fresh state', async () => {
    await putPod(store, 'default', 'x', { n: '1' });
    const suggestion = { object: await live() };
    await putPod(store, 'default', 'x', { n: '2' });
    const outcome = await update(() => ({ action: 'put', value: pod('default', 'x', { n: '1' }) }), { suggestion });
    assert.equal(outcome.action, 'updated');
    assert.equal(count(await live()), 1);
  });

  it('deletes exactly what it decided on', async () => {
    await putPod(store, 'default', 'x', { n: '1' });
    const suggestion = { object: await live() };
    await putPod(store, 'default', 'x', { n: '2' });
    const seen: number[] = [];
    const transform: Transform = (current) => {
      seen.push(count(current));
      return { action: 'delete' };
    };
    const outcome = await update(transform, { suggestion });
    assert.equal(outcome.action, 'deleted');
    assert.equal(count(outcome.object), 2);
    assert.deepEqual(seen, [1, 2]);
    assert.equal(await live(), undefined);
  });

  it('keeps nothing where there is nothing to delete, though the suggestion says otherwise', async () => {
    await putPod(store, 'default', 'x');
    const suggestion = { object: await live() };
    await remove(store, key);
    const outcome = await update((current) => (current ? { action: 'delete' } : { action: 'keep' }), { suggestion });
    assert.deepEqual(outcome, { action: 'kept', object: undefined, previous: undefined, revision: 0 });
  });

  it('writes nothing in a dry run, and judges the live object', async () => {
    await putPod(store, 'default', 'x', { n: '1' });
    const suggestion = { object: await live() };
    const revision = await putPod(store, 'default', 'x', { n: '5' });
    const outcome = await update(increment, { suggestion, dryRun: true });
    assert.equal(outcome.action, 'updated');
    assert.equal(count(outcome.object), 6);
    assert.equal(outcome.revision, revision);
    assert.equal((await live())?.revision, revision);
    assert.equal((await update(() => ({ action: 'delete' }), { dryRun: true })).action, 'deleted');
    assert.ok(await live());
  });

  it('takes a connection that breaks before a write for no conflict, and gives up when each one breaks', async () => {
    await putPod(store, 'default', 'x');
    let breaks = 10;
    const { update: swap } = store;
    store.update = async (...call) => {
      if (breaks-- > 0) throw new StorageError('SessionEnded', 'the connection was renewed');
      return swap(...call);
    };
    const outcome = await update(increment, { attempts: 2 });
    assert.deepEqual([outcome.action, count(await live())], ['updated', 1]);
    breaks = Number.POSITIVE_INFINITY;
    await assert.rejects(update(increment, { attempts: 2 }), code('Unavailable'));
  });

  it('gives up with a conflict when it never wins', async () => {
    await putPod(store, 'default', 'x');
    const rival: Transform = async (current) => {
      await putPod(store, 'default', 'x', { n: String(Math.random()) });
      return increment(current);
    };
    await assert.rejects(update(rival, { attempts: 3 }), code('Conflict'));
  });
});

function count(object: CachedObject | undefined): number {
  return Number(labelsOf(object?.decode())['n'] ?? '0');
}

function increment(current: CachedObject | undefined): WriteDecision {
  return { action: 'put', value: pod('default', 'x', { n: String(count(current) + 1) }) };
}

function labelsOf(object: JsonObject | undefined): Record<string, string> {
  const metadata = object?.['metadata'] as { labels?: Record<string, string> } | undefined;
  return metadata?.labels ?? {};
}
