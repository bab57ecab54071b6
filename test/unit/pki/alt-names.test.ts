import assert from 'node:assert/strict';
import { altNameKinds } from '../../../src/pki/alt-names.ts';

const kindsOf = (hex: string): string[] => [...altNameKinds(Buffer.from(hex.replaceAll(' ', ''), 'hex'))];

describe('the kinds of names in a SubjectAltName', () => {
  const kinds: readonly (readonly [name: string, kind: string])[] = [
    ['a00c 0603 2a0304 a005 0c03 616263', 'otherName'],
    ['8103 614062', 'Email'],
    ['8203 612e62', 'DNS'],
    ['a304 3002 3000', 'x400Address'],
    ['a402 3000', 'directoryName'],
    ['a505 a103 0c01 61', 'ediPartyName'],
    ['8603 613a62', 'URI'],
    ['8704 7f000001', 'IP'],
    ['8802 2a03', 'registeredID'],
  ];
  for (const [name, kind] of kinds) {
    it(`include ${kind}`, () => {
      const length = name.replaceAll(' ', '').length / 2;
      assert.deepEqual(kindsOf(`30${length.toString(16).padStart(2, '0')} ${name}`), [kind]);
    });
  }

  it('are none without the extension or in an empty one', () => {
    assert.equal(altNameKinds(undefined).size, 0);
    assert.deepEqual(kindsOf('3000'), []);
  });

  for (const [what, hex] of [
    ['an address of five bytes', '3007 8705 7f00000100'],
    ['a DNS name with NUL', '3005 8203 610062'],
    ['a kind that does not exist', '3003 8901 61'],
    ['a name of another class', '3003 0201 01'],
    ['no list', '8203 612e62'],
  ] as const) {
    it(`are refused with ${what}`, () => {
      assert.throws(() => kindsOf(hex), { name: 'PkiError' });
    });
  }
});
