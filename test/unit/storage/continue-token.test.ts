import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { anyText } from '../../any-text.ts';
import {
  decodeContinueToken,
  encodeContinueToken,
  newestRevision,
} from '../../../src/storage/objects/continue-token.ts';
import { code } from './fixture.ts';

const list = '/registry/pods/';
const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');

describe('continue tokens', () => {
  it('carry a position', () => {
    for (const revision of [1, 12345678901, newestRevision]) {
      const position = { revision, afterKey: `${list}default/x` };
      assert.deepEqual(decodeContinueToken(encodeContinueToken(position, list), list), position);
    }
  });

  it('never leave the prefix of the list that reads them', () => {
    const token = encodeContinueToken({ revision: 5, afterKey: `${list}default/x` }, list);
    assert.equal(decodeContinueToken(token, '/registry/secrets/').afterKey, '/registry/secrets/default/x');
    for (const k of ['../secrets/x', '/x', 'x/', 'a/b/c', '', '.', '..', 'a\0', 'a/../b', '//', 7, null, ['x']]) {
      assert.throws(() => decodeContinueToken(encode({ v: 1, rv: 5, k }), list), code('InvalidArgument'), String(k));
    }
  });

  it('are refused when they were not made here', () => {
    const bad = [
      '',
      'x',
      '%%%',
      'bm90IGpzb24',
      encode(null),
      encode(7),
      encode([]),
      encode({}),
      encode({ v: 2, rv: 5, k: 'x' }),
      encode({ v: 1, rv: 0, k: 'x' }),
      encode({ v: 1, rv: -2, k: 'x' }),
      encode({ v: 1, rv: '5', k: 'x' }),
      encode({ v: 1, rv: 1e300, k: 'x' }),
      encode({ v: 1, rv: 1.5, k: 'x' }),
      'A'.repeat(1 << 20),
    ];
    for (const token of bad) {
      assert.throws(
        () => decodeContinueToken(token, list),
        (error: unknown) => code('InvalidArgument')(error) && String(error).includes('continue key is not valid'),
      );
    }
  });

  it('are typed errors or positions inside the prefix, whatever they are', () => {
    const content = fc.record({
      v: fc.constantFrom(1, 2),
      rv: fc.oneof(fc.integer(), fc.double()),
      k: anyText(),
    });
    const token = fc.oneof(fc.string(), fc.base64String(), content.map(encode), fc.json().map(encode));
    fc.assert(
      fc.property(token, (sent) => {
        try {
          assert.ok(decodeContinueToken(sent, list).afterKey.startsWith(list));
        } catch (error) {
          assert.ok(code('InvalidArgument')(error));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
