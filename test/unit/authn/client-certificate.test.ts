import assert from 'node:assert/strict';
import { createPublicKey, X509Certificate } from 'node:crypto';
import type { AuthenticationRequest } from '../../../src/authn/authenticator.ts';
import { clientCertificateAuthenticator } from '../../../src/authn/client-certificate.ts';
import type { CertificateAuthority } from '../../../src/pki/certificate-authority.ts';
import { generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueCertificate } from '../../../src/pki/issue-certificate.ts';
import { issueClientCertificate } from '../../../src/pki/client-certificate.ts';

const hour = 3600_000;

function requestWith(pem: string, verified = true): AuthenticationRequest {
  const der = new X509Certificate(pem).raw;
  return {
    bearerToken: undefined,
    clientCertificate: { der, verified },
    rawHeaders: [],
    cancellation: { signal: AbortSignal.timeout(10_000) },
  };
}

describe('the client certificate authenticator', () => {
  let authority: CertificateAuthority;
  before(async () => {
    const key = await generateKey();
    authority = { key, certificatePem: await issueAuthorityCertificate(key, 'CA', new Date(Date.now() + 24 * hour)) };
  });

  async function certificate(username: string, groups: string[] = []): Promise<string> {
    return (await issueClientCertificate(authority, { username, groups }, hour)).certPem;
  }

  it('takes user and groups from the subject', async () => {
    const request = requestWith(await certificate('ann', ['dev', 'ops']));
    const authenticator = clientCertificateAuthenticator();
    const expected = { user: { username: 'ann', uid: '', groups: ['dev', 'ops'], extra: {} } };
    assert.deepEqual(await authenticator.authenticate(request), expected);
    assert.deepEqual(await authenticator.authenticate(request), expected, 'remembered');
  });

  it('has no opinion without a certificate or without a common name', async () => {
    const authenticator = clientCertificateAuthenticator();
    const nothing = { ...requestWith(await certificate('x')), clientCertificate: undefined };
    assert.equal(await authenticator.authenticate(nothing), undefined);
    assert.equal(await authenticator.authenticate(requestWith(await certificate('', ['group']))), undefined);
  });

  it('refuses a certificate that the TLS layer did not verify', async () => {
    const request = requestWith(await certificate('ann'), false);
    await assert.rejects(async () => clientCertificateAuthenticator().authenticate(request), {
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
    await assert.rejects(async () => clientCertificateAuthenticator().authenticate(requestWith(pem)), {
      reason: 'Unauthorized',
    });
  });

  it('checks the dates for every request, not once a connection', async () => {
    let now = Date.now();
    const authenticator = clientCertificateAuthenticator(() => now);
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

  it('refuses bytes that are no certificate', async () => {
    const request = {
      ...requestWith(authority.certificatePem),
      clientCertificate: { der: Buffer.from('x'), verified: true },
    };
    await assert.rejects(async () => clientCertificateAuthenticator().authenticate(request), {
      reason: 'Unauthorized',
    });
  });
});
