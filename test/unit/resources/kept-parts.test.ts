import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { oldestSlices } from '../../../src/resources/resource/resourceslices/convert.ts';

const identifiers = identifiersOf('kubernetes');
const spec = { driver: 'a.example.com', pool: { name: 'a', generation: 0, resourceSliceCount: 1 }, allNodes: true };

/** A slice in the oldest version, with what is said to be kept of it. */
function sliceWith(kept: JsonObject): JsonObject {
  const annotations = { 'resource.k8s.io/newer-version': JSON.stringify({ spec: kept }) };
  return { metadata: { name: 'a', annotations }, spec };
}

describe('the fields that an older version lacks', () => {
  it('come back if the client did not change the rest', () => {
    const devices = [{ name: 'a', bindsToNode: true }];
    const stored = { metadata: { name: 'a' }, spec: { ...spec, devices } };
    const shown = oldestSlices.fromStorage(stored, identifiers);
    assert.deepEqual(oldestSlices.toStorage(shown, identifiers), stored);
  });

  it('cannot bring values of other types into the store', () => {
    const others: readonly JsonObject[] = [{ nodeName: false }, { perDeviceNodeSelection: '' }, { nodeSelector: 0 }];
    for (const wrong of others) {
      const stored = oldestSlices.toStorage(sliceWith({ ...spec, ...wrong }), identifiers);
      assert.deepEqual(stored['spec'], spec);
    }
  });
});
