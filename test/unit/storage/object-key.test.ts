import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  internalKey,
  isSafeSegment,
  objectKey,
  objectsPrefix,
  resourceSegment,
  splitObjectKey,
  storePrefix,
} from '../../../src/storage/port/object-key.ts';
import { code, deployments, nodes, pods, prefix } from './fixture.ts';

const locations = [
  pods,
  nodes,
  deployments,
  { group: 'apps.example.com', resource: 'pods' },
  { group: 'example.com', resource: 'deployments' },
];
const hostile = [
  '',
  '.',
  '..',
  '/',
  '../x',
  'a/b',
  'a\0',
  '\0',
  '~',
  '%2e%2e',
  '\\',
  'a/',
  '/a',
  '\ud800',
  'a\nb',
  '..;',
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(...hostile),
  fc.constantFrom('default', 'x'),
);

describe('object keys', () => {
  it('are resource, group, namespace and name behind the prefix', () => {
    assert.equal(objectKey(prefix, pods, 'default', 'x'), '/registry/pods/default/x');
    assert.equal(objectKey(prefix, nodes, '', 'x'), '/registry/nodes/x');
    assert.equal(objectKey('/a/b', deployments, 'ns', 'x'), '/a/b/deployments.apps/ns/x');
    assert.equal(objectKey('/a/b/', deployments, 'ns', 'x'), '/a/b/deployments.apps/ns/x');
  });

  it('have prefixes that end in a slash, so that no name continues another', () => {
    assert.equal(objectsPrefix(prefix, pods, ''), '/registry/pods/');
    assert.equal(objectsPrefix(prefix, pods, 'default'), '/registry/pods/default/');
    assert.equal(storePrefix(prefix), '/registry/');
  });

  it('are refused for names that are no path segment', () => {
    for (const name of ['', '.', '..', '/', 'a/b', 'a\0b', '\ud800']) {
      assert.throws(() => objectKey(prefix, pods, 'default', name), code('InvalidArgument'), JSON.stringify(name));
      assert.equal(isSafeSegment(name), false);
    }
    assert.throws(() => objectKey(prefix, pods, '..', 'x'), code('InvalidArgument'));
    assert.throws(() => resourceSegment({ group: '', resource: '~' }), code('InvalidArgument'));
    assert.throws(() => resourceSegment({ group: 'a/b', resource: 'pods' }), code('InvalidArgument'));
    assert.throws(() => storePrefix('/a/../b'), code('InvalidArgument'));
    assert.throws(() => storePrefix('/'), code('InvalidArgument'));
  });

  it('never reach the key of another resource, namespace or name, nor the system keys', () => {
    const place = fc.record({ location: fc.constantFrom(...locations), namespace: text, name: text });
    fc.assert(
      fc.property(place, place, (a, b) => {
        const keyA = tryKey(a);
        const keyB = tryKey(b);
        if (keyA === undefined) return;
        // A key goes back to what it was made of, and to nothing else.
        const own = objectsPrefix(prefix, a.location, '');
        assert.ok(keyA.startsWith(own));
        assert.deepEqual(splitObjectKey(own, keyA), { namespace: a.namespace, name: a.name });
        assert.ok(!keyA.startsWith(internalKey(prefix, 'identifiers').replace(/identifiers$/, '')));
        if (a.namespace !== '') assert.ok(keyA.startsWith(objectsPrefix(prefix, a.location, a.namespace)));
        for (const other of locations) {
          if (other !== a.location) assert.ok(!keyA.startsWith(objectsPrefix(prefix, other, '')));
        }
        if (keyB === undefined) return;
        const same = a.location === b.location && a.namespace === b.namespace && a.name === b.name;
        assert.equal(Buffer.from(keyA).equals(Buffer.from(keyB)), same);
        if (a.namespace !== b.namespace && b.namespace !== '') {
          assert.ok(!keyA.startsWith(objectsPrefix(prefix, b.location, b.namespace)));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

function tryKey({ location, namespace, name }: { location: typeof pods; namespace: string; name: string }) {
  try {
    return objectKey(prefix, location, namespace, name);
  } catch (error) {
    assert.ok(code('InvalidArgument')(error));
    return undefined;
  }
}
