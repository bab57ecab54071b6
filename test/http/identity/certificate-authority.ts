import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueClientCertificate } from '../../../src/pki/issue-client-certificate.ts';
import { issueAuthorityCertificate } from '../../../src/pki/issue-certificate.ts';

/** A user's certificate and key, both as PEM. */
export type ClientCertificate = Awaited<ReturnType<typeof issueClientCertificate>>;

const hour = 3_600_000;

/** A CA of a test. */
export interface TestAuthority {
  readonly pem: string;
  readonly keyPem: string;
  /** Issues a client certificate. */
  issue(username: string, groups?: readonly string[]): Promise<ClientCertificate>;
}

/** Creates a CA with a new key. */
export async function createAuthority(name: string): Promise<TestAuthority> {
  const key = await generateKey();
  const pem = await issueAuthorityCertificate(key, name, new Date(Date.now() + hour));
  return {
    pem,
    keyPem: encodeKey(key),
    issue: (username, groups = []) => issueClientCertificate({ key, certificatePem: pem }, { username, groups }, hour),
  };
}
