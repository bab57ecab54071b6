import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decodePem, encodePem } from '../../../src/pki/pem.ts';

describe('PEM', () => {
  it('reads back every block it writes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 })), (values) => {
        const text = values.map((value) => encodePem('TEST DATA', value)).join('');
        const blocks = decodePem(text);
        assert.deepEqual(
          blocks.map(({ der }) => [...der]),
          values.map((value) => [...value]),
        );
        assert.ok(blocks.every(({ label }) => label === 'TEST DATA'));
      }),
    );
  });

  it('skips explanations between blocks', () => {
    assert.equal(decodePem(`subject: me\n${encodePem('A', Buffer.from('x'))}\nend\n`).length, 1);
  });

  const bad: Record<string, string> = {
    'an open block': '-----BEGIN A-----\nAAAA\n',
    'a nested block': '-----BEGIN A-----\n-----BEGIN A-----\nAAAA\n-----END A-----\n',
    'an end without a begin': '-----END A-----\n',
    'an end of another label': '-----BEGIN A-----\nAAAA\n-----END B-----\n',
    'characters outside base64': '-----BEGIN A-----\nAA*A\n-----END A-----\n',
    'headers inside a block': '-----BEGIN A-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END A-----\n',
    'an empty block': '-----BEGIN A-----\n-----END A-----\n',
  };
  for (const [what, text] of Object.entries(bad)) {
    it(`refuses ${what}`, () => {
      assert.throws(() => decodePem(text), { code: 'InvalidPem' });
    });
  }
});
