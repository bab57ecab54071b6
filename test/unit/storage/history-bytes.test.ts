import assert from 'node:assert/strict';
import { HistoryBytes } from '../../../src/storage/objects/history-bytes.ts';
import { ListBytesCache } from '../../../src/storage/objects/list-bytes-cache.ts';
import { Subscriber } from '../../../src/storage/cache/subscriber.ts';
import { ResourceState } from '../../../src/storage/cache/resource-state.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import type { StoredValue } from '../../../src/storage/port/object-store.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { pod, podKey } from './fixture.ts';

const kibibyte = 1024;
const key = podKey('default', 'x');

function podOf(revision: number, bytes: number): StoredValue {
  const value = encodeStoredObject(pod('default', 'x', {}, { spec: { text: `${revision} `.padEnd(bytes, 'é') } }));
  return { key, value, revision };
}

function stateOf(): ResourceState {
  const read = (stored: StoredValue) => cachedObject(stored, { namespace: 'default', name: 'x' });
  const limits = { historyMs: 100, bytes: 1e9, events: 1e6 };
  const fail = (error: Error): never => assert.fail(error);
  return new ResourceState(1, {
    prefix: '/registry/pods/',
    read,
    readOwn: read,
    onCorrupt: fail,
    limits,
    now: () => 0,
    listBytes: new ListBytesCache(),
  });
}

function put(state: ResourceState, revision: number, bytes: number): void {
  state.apply({ type: 'put', current: podOf(revision, bytes), created: revision === 2, previous: undefined });
}

describe('the bytes of replaced objects', () => {
  it('are those of the objects, in a few large buffers, of which no present object is part', () => {
    const state = stateOf();
    const revisions = Array.from({ length: 300 }, (_, index) => index + 2);
    for (const revision of revisions) put(state, revision, 1_500 + (revision % 5) * 100);
    const states = [...state.log.events()].map(({ current }) => current);
    for (const object of states) {
      const stored = podOf(object?.revision ?? 0, 1_500 + ((object?.revision ?? 0) % 5) * 100);
      const same = cachedObject(stored, { namespace: 'default', name: 'x' });
      assert.equal(object?.json.toString(), same.json.toString());
    }
    const shared = new Set(states.map((object) => object?.json.buffer).filter((buffer) => isOfPages(buffer)));
    assert.ok(shared.size > 1 && shared.size < 30, `${shared.size} buffers`);
    const ofTheirOwn = states.filter((object) => !isOfPages(object?.json.buffer));
    assert.ok(ofTheirOwn.length < 30, `${ofTheirOwn.length} objects in buffers of their own`);
    assert.equal(ofTheirOwn.at(-1), state.get(key));
  });

  it('have pages of their own if they are many', () => {
    const state = stateOf();
    for (const revision of [2, 3]) put(state, revision, 100 * kibibyte);
    const [first, second] = [...state.log.events()].map(({ current }) => current?.json.buffer);
    assert.deepEqual([isOfPages(first), isOfPages(second)], [true, false]);
  });
});

describe('an object that is kept longer than the history', () => {
  it('keeps its own bytes alone, whether it is replaced before or after', () => {
    const state = stateOf();
    for (let revision = 2; revision <= 100; revision++) put(state, revision, 2_000);
    const replaced = [...state.log.events()].at(-2)?.current ?? assert.fail();
    assert.ok(replaced.json.buffer.byteLength > replaced.size);
    const present = state.get(key) ?? assert.fail();
    for (const object of [replaced, present]) object.keepApart();
    put(state, 101, 2_000);
    for (const object of [replaced, present]) {
      assert.equal(object.json.buffer.byteLength, object.size);
      assert.equal(object.decode()['kind'], 'Pod');
    }
  });

  it('is one of a watch that does not read', () => {
    const state = stateOf();
    const { signal } = new AbortController();
    const [wakeLater, onEnd] = [() => {}, () => {}];
    const options = {
      filter: undefined,
      afterRevision: 1,
      startRevision: 1,
      budgetBytes: 1e9,
      wakeLater,
      signal,
      onEnd,
    };
    const watch = new Subscriber(options);
    for (let revision = 2; revision <= 1_000; revision++) {
      const event = state.apply({ type: 'put', current: podOf(revision, 500), created: false, previous: undefined });
      watch.offer(event ?? assert.fail());
    }
    const objects = [...state.log.events()].map(({ current }) => current ?? assert.fail());
    const inShared = objects.filter((object) => object.json.buffer.byteLength > object.size);
    assert.ok(inShared.length <= 64, `${inShared.length} objects`);
  });
});

describe('HistoryBytes', () => {
  it('lets go of the buffer that it fills when it is cleared', () => {
    const history = new HistoryBytes();
    const taken = Array.from({ length: 10 }, () => history.take(10 * kibibyte).buffer);
    history.clear();
    // A history that begins again is small.
    assert.equal(isOfPages(taken.at(-1)), true);
    assert.equal(isOfPages(history.take(10 * kibibyte).buffer), false);
    for (let count = 0; count < 10; count++) assert.ok(!taken.includes(history.take(10 * kibibyte).buffer));
  });
});

/** True for the memory of a `largeBuffer`. */
function isOfPages(memory: ArrayBufferLike | undefined): boolean {
  return memory instanceof ArrayBuffer && memory.resizable;
}
