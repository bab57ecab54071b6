import assert from 'node:assert/strict';
import { ListBytesCache } from '../../../src/storage/objects/list-bytes-cache.ts';
import { ResourceState } from '../../../src/storage/cache/resource-state.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { pod, podKey } from './fixture.ts';

describe('the state of a resource', () => {
  it('is not moved by events that the list it began with already shows', () => {
    const value = (n: string) => encodeStoredObject(pod('default', 'x', { n }));
    const key = podKey('default', 'x');
    const state = new ResourceState(10, {
      prefix: '/registry/pods/',
      read: (stored) => cachedObject(stored, { namespace: 'default', name: 'x' }),
      readOwn: (stored) => cachedObject(stored, { namespace: 'default', name: 'x' }),
      onCorrupt: (error) => assert.fail(error),
      limits: { historyMs: 1e9, bytes: 1e9, events: 100 },
      now: () => 0,
      listBytes: new ListBytesCache(),
    });
    state.load({ key, value: value('new'), revision: 10 }, (length) => Buffer.alloc(length));

    const earlier = { key, value: value('old'), revision: 9 };
    assert.equal(state.apply({ type: 'put', current: earlier, created: false, previous: undefined }), undefined);
    const atTheList = { key, value: value('new'), revision: 10 };
    assert.equal(state.apply({ type: 'put', current: atTheList, created: false, previous: undefined }), undefined);
    assert.deepEqual([state.get(key)?.revision, state.log.size, state.stateRevision], [10, 0, 10]);
    assert.ok(state.apply({ type: 'delete', key, revision: 11, previous: undefined }));
    assert.equal(state.get(key), undefined);
  });
});
