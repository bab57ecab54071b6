import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, webcrypto } from 'node:crypto';
import * as asn1js from 'asn1js';
import { Attribute, AttributeTypeAndValue, CertificationRequest, Extension, Extensions } from 'pkijs';
import { parseEncodedRequest } from '../../../src/pki/parse-certificate-request.ts';
import { encodePem } from '../../../src/pki/pem.ts';
import { signingKeyError } from '../../../src/pki/signing-key-error.ts';

const encoded = (pem: string): string => Buffer.from(pem, 'latin1').toString('base64');
const parseDer = (der: Buffer) => parseEncodedRequest(encoded(encodePem('CERTIFICATE REQUEST', der)));

interface RequestShape {
  readonly algorithm?: { name: string; namedCurve?: string; hash?: string; modulusLength?: number };
  readonly extensions?: readonly string[];
}

async function makeRequest(shape: RequestShape = {}): Promise<Buffer> {
  const algorithm = shape.algorithm ?? { name: 'ECDSA', namedCurve: 'P-256' };
  const keys = await webcrypto.subtle.generateKey(
    { publicExponent: Uint8Array.of(1, 0, 1), ...algorithm } as webcrypto.EcKeyGenParams,
    true,
    ['sign', 'verify'],
  );
  assert.ok('privateKey' in keys);
  const request = new CertificationRequest();
  for (const [type, value] of [
    ['2.5.4.10', 'system:nodes'],
    ['2.5.4.3', 'system:node:n1'],
  ] as const) {
    request.subject.typesAndValues.push(new AttributeTypeAndValue({ type, value: new asn1js.Utf8String({ value }) }));
  }
  await request.subjectPublicKeyInfo.importKey(keys.publicKey);
  const extensions = (shape.extensions ?? []).map(
    (extnID) => new Extension({ extnID, extnValue: new asn1js.OctetString({ valueHex: Uint8Array.of(1) }).toBER() }),
  );
  request.attributes = extensions.length
    ? [new Attribute({ type: '1.2.840.113549.1.9.14', values: [new Extensions({ extensions }).toSchema()] })]
    : [];
  await request.sign(keys.privateKey, 'SHA-256');
  return Buffer.from(request.toSchema(true).toBER());
}

describe('a certificate request', () => {
  it('has a subject, a key and extensions', async () => {
    const request = parseDer(await makeRequest({ extensions: ['2.5.29.17'] }));
    assert.equal(request.subject.commonName, 'system:node:n1');
    assert.deepEqual(request.subject.organizations, ['system:nodes']);
    assert.equal(request.publicKey.asymmetricKeyType, 'ec');
    assert.deepEqual([...request.extensions.keys()], ['2.5.29.17']);
    assert.deepEqual([...(request.extensions.get('2.5.29.17') ?? [])], [4, 1, 1]);
  });

  it('may have an RSA key', async () => {
    const der = await makeRequest({ algorithm: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048 } });
    assert.equal(parseDer(der).publicKey.asymmetricKeyType, 'rsa');
  });

  it('may have a weak key, which signers refuse', async () => {
    const weak = await makeRequest({ algorithm: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 1024 } });
    assert.match(signingKeyError(parseDer(weak).publicKey) ?? '', /^RSA key has 1024 bits; allowed are/);
    const large = await makeRequest({ algorithm: { name: 'ECDSA', namedCurve: 'P-521' } });
    assert.equal(signingKeyError(parseDer(large).publicKey), undefined);
  });

  it('is refused when its signature is by the algorithm of another kind of key', async () => {
    const der = await makeRequest();
    // ecdsa-with-SHA256 becomes ecdsa-with-SHA224.
    const at = der.indexOf(Buffer.from('2a8648ce3d040302', 'hex'));
    der.writeUInt8(1, at + 7);
    assert.throws(() => parseDer(der), { code: 'BadSignature' });
  });

  it('is refused when its signature is wrong', async () => {
    const der = await makeRequest();
    const at = der.indexOf('system:node:n1');
    der.write('system:node:n2', at);
    assert.throws(() => parseDer(der), { code: 'BadSignature' });
  });

  it('is refused when it asks for an extension twice', async () => {
    const der = await makeRequest({ extensions: ['2.5.29.17', '2.5.29.17'] });
    assert.throws(() => parseDer(der), { code: 'InvalidRequest' });
  });

  it('is the first block of a text, as Go reads it', async () => {
    const der = await makeRequest();
    const pem = encodePem('CERTIFICATE REQUEST', der);
    const broken = '-----BEGIN OTHER-----\nnot base64 !\n-----END OTHER-----\n';
    const header = pem.replace('REQUEST-----\n', 'REQUEST-----\nProc-Type: x\n\n');
    const oneLine = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----`;
    const other = encodePem('CERTIFICATE', der);
    const good = [`gr\xfc\xdfe\n${pem}bye`, pem + other, broken + pem, pem.replaceAll('\n', '\r\n'), header, oneLine];
    for (const text of [...good, `-----BEGIN OPEN-----\n${pem}`]) {
      assert.equal(parseEncodedRequest(encoded(text)).subject.commonName, 'system:node:n1');
    }
    for (const bad of [other, other + pem, `text ${pem}`, pem.replaceAll('CERTIFICATE R', 'R'), '']) {
      assert.throws(() => parseEncodedRequest(encoded(bad)), { code: 'InvalidPem' });
    }
  });

  it('is refused when it is no request, has trailing bytes, or is too large', async () => {
    assert.throws(() => parseDer(Buffer.from('3003020101', 'hex')), { code: 'InvalidDer' });
    const trailing = Buffer.concat([await makeRequest(), Buffer.of(0)]);
    assert.throws(() => parseDer(trailing), {
      code: 'InvalidDer',
    });
    assert.throws(() => parseDer(Buffer.alloc(65 * 1024)), { code: 'InvalidRequest' });
    const key: KeyObject = generateKeyPairSync('ed25519').publicKey;
    assert.throws(() => parseDer(key.export({ type: 'spki', format: 'der' })), {
      code: 'InvalidRequest',
    });
  });
});
