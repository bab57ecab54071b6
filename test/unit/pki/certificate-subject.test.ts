import assert from 'node:assert/strict';
import * as asn1js from 'asn1js';
import { type DerElement, readDer } from '../../../src/pki/read-der.ts';
import { PkiError } from '../../../src/pki/pki-error.ts';
import { readName } from '../../../src/pki/distinguished-name.ts';
import { certificateSubject } from '../../../src/pki/certificate-subject.ts';

type Value = Buffer;

const der = (tag: number, ...content: Buffer[]): Buffer => {
  const bytes = Buffer.concat(content);
  assert.ok(bytes.length < 128);
  return Buffer.concat([Buffer.of(tag, bytes.length), bytes]);
};

/** A parsed Name with one attribute a set, as it comes from a certificate. */
function name(...attributes: readonly (readonly [string, Value])[]): DerElement {
  const sets = attributes.map(([oid, value]) => {
    const type = Buffer.from(new asn1js.ObjectIdentifier({ value: oid }).toBER());
    return der(0x31, der(0x30, type, value));
  });
  return readDer(der(0x30, ...sets));
}

const raw = (tag: number, ...content: number[]): Value => der(tag, Buffer.from(content));
const utf8 = (text: string): Value => der(0x0c, Buffer.from(text));

describe('the subject of a certificate', () => {
  it('is read from UTF8, Printable, IA5 and BMP strings', () => {
    const subject = readName(
      name(
        ['2.5.4.10', utf8('größe')],
        ['2.5.4.10', der(0x13, Buffer.from('plain'))],
        ['2.5.4.10', der(0x16, Buffer.from('a@b'))],
        ['2.5.4.10', der(0x1e, Buffer.from('ключ', 'utf16le').swap16())],
        ['2.5.4.6', der(0x13, Buffer.from('DE'))],
        ['2.5.4.3', utf8('me')],
      ),
    );
    assert.deepEqual(subject, {
      commonName: 'me',
      commonNames: ['me'],
      organizations: ['größe', 'plain', 'a@b', 'ключ'],
      uids: [],
    });
  });

  it('takes the last of several common names, as Go does', () => {
    assert.equal(readName(name(['2.5.4.3', utf8('a')], ['2.5.4.3', utf8('b')])).commonName, 'b');
  });

  const bad: Record<string, Value> = {
    'NUL in a UTF8String': raw(0x0c, 0x61, 0, 0x62),
    'NUL in a BMPString': raw(0x1e, 0, 0x61, 0, 0),
    'ill-formed UTF-8': raw(0x0c, 0xff, 0xfe),
    'an odd BMPString': raw(0x1e, 0, 0x61, 0),
    'a BMPString with surrogates': raw(0x1e, 0xd8, 0x3d, 0xde, 0x00),
    'a TeletexString': raw(0x14, 0x61),
    'a number': raw(0x02, 0x01),
  };
  for (const [what, value] of Object.entries(bad)) {
    it(`is refused with ${what}`, () => {
      for (const oid of ['2.5.4.3', '2.5.4.10']) {
        assert.throws(() => readName(name([oid, value])), PkiError);
      }
    });
  }

  it('is refused in what is no certificate', () => {
    assert.throws(() => certificateSubject(Buffer.from('3000', 'hex')), { code: 'InvalidDer' });
    assert.throws(() => certificateSubject(Buffer.alloc(70_000)), { code: 'InvalidCertificate' });
  });
});
