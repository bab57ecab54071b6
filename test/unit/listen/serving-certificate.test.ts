import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { ensureAuthority } from '../../../src/pki/ensure-authority.ts';
import { issueCertificate } from '../../../src/pki/issue-certificate.ts';
import { defaultServerOptions } from '../../../src/config/server-options.ts';
import { type ServingCertificate, servingCertificate } from '../../../src/listen/serving-certificate.ts';

const day = 24 * 3_600_000;

/** The IP addresses and DNS names that a certificate is valid for. */
function namesOf(pem: string): string[] {
  const { subjectAltName = '' } = new X509Certificate(pem);
  return subjectAltName.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, ''));
}

describe('a serving certificate that is made in a directory', () => {
  let certDir: string;
  let read: () => Promise<ServingCertificate>;
  let first: ServingCertificate;
  beforeEach(async () => {
    certDir = await mkdtemp(path.join(tmpdir(), 'cl-serving-'));
    read = servingCertificate({ ...defaultServerOptions, certDir }, identifiersOf('cluster'));
    first = await read();
  });
  afterEach(() => rm(certDir, { recursive: true, force: true }));

  /** Puts a certificate of the same CA and key there that ends soon. */
  async function age(leftMs: number): Promise<string> {
    const authority = await ensureAuthority(certDir, 'ca', 'apiserver-ca');
    const aged = await issueCertificate(authority, {
      commonName: 'apiserver',
      publicKey: createPublicKey(createPrivateKey(first.key)),
      keyUsages: ['digitalSignature'],
      extendedKeyUsages: ['serverAuth'],
      notAfter: new Date(Date.now() + leftMs),
      names: namesOf(first.cert),
    });
    await writeFile(path.join(certDir, 'apiserver.crt'), aged);
    return aged;
  }

  /** The way in which another server with the same directory reads its certificate. */
  function serverAt(bindAddress: string): () => Promise<ServingCertificate> {
    return servingCertificate({ ...defaultServerOptions, certDir, bindAddress }, identifiersOf('cluster'));
  }

  it('stays the same while it is good, and is taken from another server that has its names', async () => {
    assert.deepEqual(await read(), first);
    await rm(path.join(certDir, 'apiserver.crt'));
    const other = await serverAt('127.0.0.1')();
    assert.notEqual(other.cert, first.cert);
    assert.deepEqual(await read(), other);
  });

  it('is kept where another server makes one for other addresses in the same directory', async () => {
    const [readOne, readAnother] = [serverAt('127.0.0.6'), serverAt('127.0.0.7')];
    const one = await readOne();
    const another = await readAnother();
    assert.notEqual(another.cert, one.cert);
    assert.deepEqual(await readOne(), one);
    assert.deepEqual(await readAnother(), another);
  });

  it('is made again, by the same CA, when it is read near its end', async () => {
    const aged = await age(20 * day);
    const renewed = await read();
    assert.equal(renewed.ca, first.ca);
    assert.notEqual(renewed.cert, aged);
    assert.equal(await readFile(path.join(certDir, 'apiserver.crt'), 'utf8'), renewed.cert);
  });

  it('is not made by a new CA where the directory was emptied: clients would not trust it', async () => {
    await rm(certDir, { recursive: true });
    await assert.rejects(read(), { message: /^--cert-dir .*ENOENT/ });
  });
});
