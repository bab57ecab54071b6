import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AuthenticationRequest } from '../../../src/authn/authenticator.ts';
import { clientCertificateAuthenticator } from '../../../src/authn/client-certificate-authenticator.ts';
import type { CertificateAuthority } from '../../../src/pki/certificate-authority.ts';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueCertificate } from '../../../src/pki/issue-certificate.ts';
import { issueClientCertificate } from '../../../src/pki/issue-client-certificate.ts';

const hour = 3600_000;

function requestWith(pem: string, verified = true, issuers: readonly string[] = []): AuthenticationRequest {
  const der = new X509Certificate(pem).raw;
  return {
    bearerToken: undefined,
    clientCertificate: { der, verified, issuers: () => issuers.map((issuer) => new X509Certificate(issuer).raw) },
    rawHeaders: [],
    cancellation: { signal: AbortSignal.timeout(60_000) },
  };
}

async function newAuthority(name: string, lifetimeMs = 24 * hour, given?: KeyObject): Promise<CertificateAuthority> {
  const key = given ?? (await generateKey());
  return { key, certificatePem: await issueAuthorityCertificate(key, name, new Date(Date.now() + lifetimeMs)) };
}

/** A CA certificate for a key that another authority signs; the product makes none, so openssl does. */
async function issueIntermediate(authority: CertificateAuthority, key: KeyObject): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cl-chain-'));
  const file = (name: string): string => join(directory, name);
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args);
  await writeFile(file('ca.crt'), authority.certificatePem);
  await writeFile(file('ca.key'), encodeKey(authority.key));
  await writeFile(file('key'), encodeKey(key));
  await writeFile(file('extensions'), 'basicConstraints=critical,CA:true\nsubjectKeyIdentifier=none\n');
  await openssl('req', '-new', '-key', file('key'), '-subj', '/CN=intermediate', '-out', file('request'));
  await openssl(
    ...`x509 -req -in ${file('request')} -CA ${file('ca.crt')} -CAkey ${file('ca.key')} -CAcreateserial`.split(' '),
    ...`-extfile ${file('extensions')} -days 1 -out ${file('crt')}`.split(' '),
  );
  const pem = await readFile(file('crt'), 'utf8');
  await rm(directory, { recursive: true });
  return pem;
}

describe('the client certificate authenticator', () => {
  let authority: CertificateAuthority;
  let trusted: readonly X509Certificate[];
  const roots = () => trusted;
  before(async () => {
    authority = await newAuthority('CA');
    trusted = [new X509Certificate(authority.certificatePem)];
  });

  async function certificate(username: string, groups: string[] = []): Promise<string> {
    return (await issueClientCertificate(authority, { username, groups }, hour)).certPem;
  }

  it('takes user and groups from the subject', async () => {
    const request = requestWith(await certificate('ann', ['dev', 'ops']));
    const authenticator = clientCertificateAuthenticator({ roots });
    const expected = { user: { username: 'ann', uid: '', groups: ['dev', 'ops'], extra: {} } };
    assert.deepEqual(await authenticator.authenticate(request), expected);
    assert.deepEqual(await authenticator.authenticate(request), expected, 'remembered');
  });

  it('records the time that is left to the certificate of each request, also of an expired one', async () => {
    const request = requestWith(await certificate('ann'));
    const left: number[] = [];
    let now = Date.now();
    const metrics = { remaining: (milliseconds: number) => void left.push(Math.round(milliseconds / hour)) };
    const authenticator = clientCertificateAuthenticator({ roots, metrics, now: () => now });
    await authenticator.authenticate(request);
    now += 2 * hour;
    await assert.rejects(async () => authenticator.authenticate(request));
    assert.deepEqual(left, [1, -1]);
  });

  it('has no opinion without a certificate or without a common name', async () => {
    const authenticator = clientCertificateAuthenticator({ roots });
    const nothing = { ...requestWith(await certificate('x')), clientCertificate: undefined };
    assert.equal(await authenticator.authenticate(nothing), undefined);
    assert.equal(await authenticator.authenticate(requestWith(await certificate('', ['group']))), undefined);
  });

  it('refuses a certificate that the TLS layer did not verify', async () => {
    const request = requestWith(await certificate('ann'), false);
    await assert.rejects(async () => clientCertificateAuthenticator({ roots }).authenticate(request), {
      reason: 'Unauthorized',
    });
  });

  it('refuses a certificate that is not for client authentication', async () => {
    const pem = await issueCertificate(authority, {
      commonName: 'server',
      publicKey: createPublicKey(authority.key),
      keyUsages: ['digitalSignature'],
      extendedKeyUsages: ['serverAuth'],
      notAfter: new Date(Date.now() + hour),
    });
    await assert.rejects(async () => clientCertificateAuthenticator({ roots }).authenticate(requestWith(pem)), {
      reason: 'Unauthorized',
    });
  });

  it('checks the dates for every request, not once a connection', async () => {
    let now = Date.now();
    const authenticator = clientCertificateAuthenticator({ roots, now: () => now });
    const request = requestWith(await certificate('ann'));
    assert.ok(await authenticator.authenticate(request));
    now += 2 * hour;
    await assert.rejects(async () => authenticator.authenticate(request), {
      reason: 'Unauthorized',
      message: 'Unauthorized',
    });
    now -= 4 * hour;
    await assert.rejects(async () => authenticator.authenticate(request), { reason: 'Unauthorized' });
  });

  it('follows the chain again when the client CA has changed', async () => {
    const other = [new X509Certificate((await newAuthority('other')).certificatePem)];
    let now = trusted;
    const authenticator = clientCertificateAuthenticator({ roots: () => now });
    const request = requestWith(await certificate('ann'));
    assert.ok(await authenticator.authenticate(request));
    now = other;
    await assert.rejects(async () => authenticator.authenticate(request), { reason: 'Unauthorized' });
    now = [...other, ...trusted];
    assert.ok(await authenticator.authenticate(request), 'trusted again');
  });

  it('refuses a certificate whose authority has expired', async () => {
    let now = Date.now();
    const short = await newAuthority('short', hour);
    const long = { ...short, certificatePem: (await newAuthority('short', 24 * hour, short.key)).certificatePem };
    const { certPem } = await issueClientCertificate(long, { username: 'ann', groups: [] }, 4 * hour);
    const shortRoots = [new X509Certificate(short.certificatePem)];
    const authenticator = clientCertificateAuthenticator({ roots: () => shortRoots, now: () => now });
    const request = requestWith(certPem);
    assert.ok(await authenticator.authenticate(request));
    now += 2 * hour;
    await assert.rejects(async () => authenticator.authenticate(request), { reason: 'Unauthorized' });
  });

  it('follows a chain of intermediates, and only one that each of them signed', async () => {
    const signs = ['digitalSignature', 'keyCertSign'] as const;
    const intermediateKey = await generateKey();
    const intermediate = {
      key: intermediateKey,
      certificatePem: await issueIntermediate(authority, intermediateKey),
    };
    const { certPem } = await issueClientCertificate(intermediate, { username: 'ann', groups: [] }, hour);
    const leafAsIssuer = await issueCertificate(authority, {
      commonName: 'intermediate',
      publicKey: createPublicKey(intermediateKey),
      keyUsages: signs,
      extendedKeyUsages: ['clientAuth'],
      notAfter: new Date(Date.now() + hour),
    });
    const stranger = await newAuthority('intermediate');
    const ask = (issuers: readonly string[]) =>
      clientCertificateAuthenticator({ roots }).authenticate(requestWith(certPem, true, issuers));
    assert.ok(await ask([intermediate.certificatePem]));
    for (const issuers of [[leafAsIssuer], [stranger.certificatePem]]) {
      await assert.rejects(async () => ask(issuers), { reason: 'Unauthorized' });
    }
  });

  it('refuses a verified certificate of another CA, unless the handshake knows these roots alone', async () => {
    const { certPem } = await issueClientCertificate(
      await newAuthority('other'),
      { username: 'ann', groups: ['system:masters'] },
      hour,
    );
    const ask = (options: { withoutIssuers?: boolean }, issuers: readonly string[] = []) =>
      clientCertificateAuthenticator({ roots, ...options }).authenticate(requestWith(certPem, true, issuers));
    for (const options of [{}, { withoutIssuers: false }]) {
      await assert.rejects(async () => ask(options), { reason: 'Unauthorized' });
    }
    // Node 24.21 loses the issuers of a certificate that an intermediate has signed.
    assert.ok(await ask({ withoutIssuers: true }));
    await assert.rejects(async () => ask({ withoutIssuers: true }, [authority.certificatePem]), {
      reason: 'Unauthorized',
    });
  });

  it('trusts the handshake for lost issuers only until the roots change', async () => {
    const intermediate = await newAuthority('intermediate');
    const { certPem } = await issueClientCertificate(intermediate, { username: 'ann', groups: [] }, hour);
    let now = trusted;
    const authenticator = clientCertificateAuthenticator({ roots: () => now, withoutIssuers: true });
    const request = requestWith(certPem);
    assert.ok(await authenticator.authenticate(request));
    now = [...trusted];
    await assert.rejects(async () => authenticator.authenticate(request), { reason: 'Unauthorized' });
  });

  it('refuses bytes that are no certificate', async () => {
    const request = {
      ...requestWith(authority.certificatePem),
      clientCertificate: { der: Buffer.from('x'), verified: true, issuers: () => [] },
    };
    await assert.rejects(async () => clientCertificateAuthenticator({ roots }).authenticate(request), {
      reason: 'Unauthorized',
    });
  });
});
