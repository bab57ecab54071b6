import assert from 'node:assert/strict';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { pod, podKey } from './fixture.ts';

/** The UID of an object in the cache whose metadata have some more fields. */
function uidWith(uid: string | undefined, more: Record<string, string> = {}): string {
  const metadata = { name: 'a', namespace: 'default', ...(uid === undefined ? {} : { uid }), ...more };
  const object = { ...pod('default', 'a'), metadata };
  const stored = { key: podKey('default', 'a'), value: encodeStoredObject(object), revision: 7 };
  return cachedObject(stored, { namespace: 'default', name: 'a' }).uid;
}

describe('the UID of an object in the cache', () => {
  for (const uid of [
    'b3a4c1d2-0000-4000-8000-000000000001',
    'x',
    '',
    'a "quoted" \\ one',
    'ünïcode',
    'l'.repeat(200),
  ]) {
    it(`is what its metadata have: ${uid.slice(0, 40) || 'none'}`, () => {
      assert.equal(uidWith(uid), uid);
      assert.equal(uidWith(uid, { generateName: '"uid":"other","resourceVersion":"' }), uid);
    });
  }

  it('is empty without one, whatever the name is like', () => {
    assert.equal(uidWith(undefined), '');
    assert.equal(uidWith(undefined, { generateName: '"uid":"other","resourceVersion":"' }), '');
  });
});
