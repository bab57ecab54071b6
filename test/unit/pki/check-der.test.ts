import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { checkDer } from '../../../src/pki/check-der.ts';
import { PkiError } from '../../../src/pki/pki-error.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('the DER check', () => {
  for (const good of ['0500', '3003 020101', '30818100'.slice(0, 0) + '3000', 'a003 020102', '0c03 616263']) {
    it(`takes ${good}`, () => checkDer(bytes(good)));
  }

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
      assert.throws(() => checkDer(bytes(hex)), { code: 'InvalidDer' });
    });
  }

  it('refuses deep nesting without overflowing the stack', () => {
    let value = bytes('0500');
    for (let depth = 0; depth < 33; depth += 1) value = Buffer.concat([Buffer.of(0x30, value.length), value]);
    assert.throws(() => checkDer(value), { code: 'InvalidDer' });
  });

  it('answers or refuses any bytes, and never throws anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (value) => {
        try {
          checkDer(value);
        } catch (error) {
          assert.ok(error instanceof PkiError);
        }
      }),
    );
  });
});
