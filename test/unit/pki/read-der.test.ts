import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { objectIdentifier, readDer } from '../../../src/pki/read-der.ts';
import { PkiError } from '../../../src/pki/pki-error.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('the DER reader', () => {
  for (const good of ['0500', '3003 020101', '30818100'.slice(0, 0) + '3000', 'a003 020102', '0c03 616263']) {
    it(`takes ${good}`, () => {
      assert.equal(Buffer.from(readDer(bytes(good)).bytes).toString('hex'), good.replaceAll(' ', ''));
    });
  }

  it('has the elements of constructed values', () => {
    const { children } = readDer(bytes('3009 0201 01 3004 0c02 6162'));
    assert.deepEqual(
      children.map(({ tag, content }) => [tag, Buffer.from(content).toString('hex')]),
      [
        [0x02, '01'],
        [0x30, '0c026162'],
      ],
    );
    assert.equal(Buffer.from(children[1]?.children[0]?.content ?? []).toString(), 'ab');
  });

  it('has object identifiers as dotted text', () => {
    for (const [hex, text] of [
      ['0603 550403', '2.5.4.3'],
      ['0609 2a864886f70d01090e', '1.2.840.113549.1.9.14'],
      ['0603 813403', '2.100.3'],
    ] as const) {
      assert.equal(objectIdentifier(readDer(bytes(hex))), text);
    }
    for (const hex of ['0600', '0602 5584', '0401 55']) {
      assert.throws(() => objectIdentifier(readDer(bytes(hex))), { code: 'InvalidDer' });
    }
  });

  const bad: Record<string, string> = {
    'nothing at all': '',
    'an indefinite length': '3080 020101 0000',
    'a length that is not minimal': '0281 01 01',
    'a length with leading zeros': '048200800a',
    'trailing bytes': '0500 00',
    'a value that ends early': '3005 020101',
    'an element larger than its parent': '3003 020401',
    'a constructed string': '2c05 0c03 616263',
    'a primitive sequence': '1003 020101',
    'a high tag number': '1f8101 00',
    'a length of nine bytes': '0489 000000000000000001 00',
  };
  for (const [what, hex] of Object.entries(bad)) {
    it(`refuses ${what}`, () => {
      assert.throws(() => readDer(bytes(hex)), { code: 'InvalidDer' });
    });
  }

  it('refuses deep nesting without overflowing the stack', () => {
    let value = bytes('0500');
    for (let depth = 0; depth < 33; depth += 1) value = Buffer.concat([Buffer.of(0x30, value.length), value]);
    assert.throws(() => readDer(value), { code: 'InvalidDer' });
  });

  it('answers or refuses any bytes, and never throws anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (value) => {
        try {
          readDer(value);
        } catch (error) {
          assert.ok(error instanceof PkiError);
        }
      }),
    );
  });
});
