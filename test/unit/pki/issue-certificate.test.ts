import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateAuthority } from '../../../src/pki/certificate-authority.ts';
import { certificateSubject } from '../../../src/pki/certificate-subject.ts';
import { issueClientCertificate } from '../../../src/pki/issue-client-certificate.ts';
import { generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueCertificate } from '../../../src/pki/issue-certificate.ts';

const hour = 3600_000;

async function authorityOf(key: KeyObject): Promise<CertificateAuthority> {
  return { key, certificatePem: await issueAuthorityCertificate(key, 'test CA', new Date(Date.now() + 24 * hour)) };
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What OpenSSL says of a leaf: its text, after verifying chain and purpose. */
function opensslVerify(authority: CertificateAuthority, leafPem: string, purpose: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'pki-'));
  try {
    writeFileSync(join(directory, 'ca.crt'), authority.certificatePem);
    writeFileSync(join(directory, 'leaf.crt'), leafPem);
    const options = { cwd: directory, encoding: 'utf8', stdio: 'pipe' } as const;
    execFileSync('openssl', ['verify', '-x509_strict', '-purpose', purpose, '-CAfile', 'ca.crt', 'leaf.crt'], options);
    return execFileSync('openssl', ['x509', '-in', 'leaf.crt', '-noout', '-text'], options);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const sha1Bytes = 20;

/** An authority as OpenSSL makes it: its certificate names the key by SHA-1, where this program does by SHA-256. */
const opensslAuthority: CertificateAuthority = {
  key: createPrivateKey(`-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkjil7rihkHLwpUZ3
zh+pCNs95gqFDT2dzwbIeh7ZnBChRANCAAQMUFYM9AEfkk/tXrpE8yc4e39AVnNA
KbiPmp+XNgwpHwnRy2RTh7l6Xnyt7K5aLpjJQ0nSwjZV8I7jwMyxbceP
-----END PRIVATE KEY-----`),
  certificatePem: `-----BEGIN CERTIFICATE-----
MIIBUjCB+aADAgECAgEBMAoGCCqGSM49BAMCMBAxDjAMBgNVBAMMBXVzZXJzMCAX
DTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAQMQ4wDAYDVQQDDAV1c2Vy
czBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABAxQVgz0AR+ST+1eukTzJzh7f0BW
c0ApuI+an5c2DCkfCdHLZFOHuXpefK3srloumMlDSdLCNlXwjuPAzLFtx4+jQjBA
MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBTNLBMj
HWMW4cKDgWQ+xmj8mZ60fjAKBggqhkjOPQQDAgNIADBFAiEAnr+Pm9kW5JtqJEnl
4QgLMG8Ru0SnudwiRH2DmFJkQNcCIFJYFA/2w9QCdA19c59YrF4O8wBeEGigu6id
drnMjYiZ
-----END CERTIFICATE-----
`,
};

const keys: Record<string, () => Promise<KeyObject> | KeyObject> = {
  'EC P-256': generateKey,
  'EC P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  'RSA 2048': () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
};

describe('certificates', () => {
  for (const [type, makeKey] of Object.entries(keys)) {
    it(`of an authority with an ${type} key are accepted by OpenSSL and by Node`, async () => {
      const authority = await authorityOf(await makeKey());
      const key = createPublicKey(await generateKey());
      const pem = await issueCertificate(authority, {
        commonName: 'apiserver',
        publicKey: key,
        keyUsages: ['digitalSignature', 'keyEncipherment'],
        extendedKeyUsages: ['serverAuth'],
        names: ['localhost', '127.0.0.1', '::1', 'fd00::12:3', 'cluster.default.svc'],
        notAfter: new Date(Date.now() + hour),
      });
      const certificate = new X509Certificate(pem);
      assert.ok(certificate.verify(createPublicKey(authority.key)));
      assert.ok(certificate.checkIssued(new X509Certificate(authority.certificatePem)));
      assert.ok(certificate.publicKey.equals(key));
      assert.equal(certificate.checkHost('cluster.default.svc'), 'cluster.default.svc');
      for (const ip of ['127.0.0.1', '::1', 'fd00::12:3']) assert.equal(certificate.checkIP(ip), ip);
      assert.equal(certificate.checkHost('other'), undefined);
      if (hasOpenssl()) {
        const text = opensslVerify(authority, pem, 'sslserver');
        assert.match(text, /Basic Constraints: critical\s+CA:FALSE/);
        assert.match(text, /Key Usage: critical\s+Digital Signature, Key Encipherment/);
        assert.match(text, /Subject Key Identifier/);
        assert.match(text, /Authority Key Identifier/);
        assert.throws(() => opensslVerify(authority, pem, 'sslclient'));
      }
    });
  }

  it('name the algorithm of an RSA signature with parameters that are NULL', async () => {
    const { certPem } = await issueClientCertificate(
      await authorityOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
      { username: 'u', groups: [] },
      hour,
    );
    // SEQUENCE { OBJECT sha256WithRSAEncryption, NULL }, in the signed part and beside the signature.
    const named = new X509Certificate(certPem).raw.toString('hex').split('300d06092a864886f70d01010b0500').length - 1;
    assert.equal(named, 2);
  });

  it('name the key of the authority as its certificate does', async () => {
    const { certPem } = await issueClientCertificate(opensslAuthority, { username: 'u', groups: [] }, hour);
    assert.ok(new X509Certificate(certPem).checkIssued(new X509Certificate(opensslAuthority.certificatePem)));
    if (!hasOpenssl()) return;
    const text = opensslVerify(opensslAuthority, certPem, 'sslclient');
    const [, identifier] = /Authority Key Identifier:\s+([0-9A-F:]+)/.exec(text) ?? [];
    assert.equal(identifier?.split(':').length, sha1Bytes);
  });

  it('of clients carry user and groups, in order and as they are', async () => {
    const authority = await authorityOf(await generateKey());
    const user = { username: 'jörg=x, O=y', groups: ['system:masters', 'b/c+d', 'b/c+d'] };
    const { certPem, keyPem } = await issueClientCertificate(authority, user, hour);
    const certificate = new X509Certificate(certPem);
    assert.deepEqual(certificateSubject(certificate.raw), {
      commonName: user.username,
      commonNames: [user.username],
      organizations: user.groups,
      uids: [],
    });
    assert.match(keyPem, /^-----BEGIN PRIVATE KEY-----/);
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    if (hasOpenssl()) opensslVerify(authority, certPem, 'sslclient');
  });

  it('begin five minutes early, end with their authority, and have unlike positive serials', async () => {
    const authority = await authorityOf(await generateKey());
    const before = Date.now();
    const issued = await Promise.all(
      [1, 2].map(() => issueClientCertificate(authority, { username: 'u', groups: [] }, 1000 * hour)),
    );
    const [first, second] = issued.map(({ certPem }) => new X509Certificate(certPem));
    assert.ok(first && second);
    const authorityEnd = new X509Certificate(authority.certificatePem).validTo;
    assert.equal(first.validTo, authorityEnd);
    const issuedMs = Date.parse(first.validFrom) + 5 * 60_000;
    // Certificates have whole seconds.
    assert.ok(issuedMs > before - 1000 && issuedMs <= Date.now(), first.validFrom);
    assert.notEqual(first.serialNumber, second.serialNumber);
    assert.match(first.serialNumber, /^[4-7][0-9A-F]{31}$/);
  });

  it('use GeneralizedTime from 2050 on', async () => {
    const key = await generateKey();
    const pem = await issueAuthorityCertificate(key, 'late', new Date('2051-02-03T04:05:06Z'));
    assert.equal(new Date(new X509Certificate(pem).validTo).toISOString(), '2051-02-03T04:05:06.000Z');
  });

  it('are refused for names that are neither address nor DNS name', async () => {
    const authority = await authorityOf(await generateKey());
    const profile = {
      commonName: 'x',
      publicKey: createPublicKey(authority.key),
      keyUsages: ['digitalSignature'],
      extendedKeyUsages: ['serverAuth'],
      names: ['a b'],
      notAfter: new Date(Date.now() + hour),
    } as const;
    await assert.rejects(issueCertificate(authority, profile), { code: 'InvalidName' });
  });
});
