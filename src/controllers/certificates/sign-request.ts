import type { ExtendedKeyUsage, KeyUsage } from '../../pki/certificate-extensions.ts';
import type { CertificateAuthority } from '../../pki/certificate-authority.ts';
import { altNameKinds, subjectAltNameOid } from '../../pki/alt-names.ts';
import { backdateMs, issueRequested } from '../../pki/issue-certificate.ts';
import { type CertificateRequest, parseEncodedRequest } from '../../pki/parse-certificate-request.ts';
import { PkiError } from '../../pki/pki-error.ts';
import type { SigningRequest } from '../resources.ts';
import type { BuiltInSigner } from '../../pki/built-in-signers.ts';
import { signerRules } from '../../pki/signer-rules.ts';
import { signingKeyError } from '../../pki/signing-key-error.ts';

/** The certificate, or the rule that the request breaks. */
type SigningResult = { readonly certificatePem: string } | { readonly problem: string };

/** The shortest lifetime that a request can ask for. */
const minimumSeconds = 600;

/** Lifetimes from this on begin with the time by which certificates are backdated. */
const longMs = 8 * 3600_000;

/** Signs a request by the rules of its signer. Throws if the CA cannot sign. */
export async function signRequest(
  { spec }: SigningRequest,
  signer: BuiltInSigner,
  authority: CertificateAuthority,
  longestMs: number,
): Promise<SigningResult> {
  const { usages = [], expirationSeconds } = spec;
  const request = parseEncodedRequest(spec.request);
  const found = problemOf(() => signerRules[signer](request, usages) ?? signingKeyError(request.publicKey));
  if (found !== undefined) return { problem: found };
  const wanted = expirationSeconds === undefined ? longestMs : Math.max(expirationSeconds, minimumSeconds) * 1000;
  const lifetimeMs = Math.min(wanted, longestMs);
  const now = new Date();
  const profile = {
    subject: request.subjectDer,
    publicKey: request.publicKey,
    keyUsages: distinct(usages, keyUsages),
    extendedKeyUsages: distinct(usages, extendedKeyUsages),
    altNames: altNamesOf(request),
    notAfter: new Date(now.getTime() + lifetimeMs - (lifetimeMs < longMs ? 0 : backdateMs)),
  };
  const certificatePem = await issueRequested(authority, profile, now);
  return { certificatePem };
}

/** The requested names; an extension without any is no valid one in a certificate. */
function altNamesOf({ extensions }: CertificateRequest): Uint8Array | undefined {
  const altNames = extensions.get(subjectAltNameOid);
  return altNameKinds(altNames).size > 0 ? altNames : undefined;
}

function problemOf(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof PkiError) return error.message;
    throw error;
  }
}

/** The usages of the API by their names in certificates. */
const keyUsages: Readonly<Record<string, KeyUsage>> = {
  signing: 'digitalSignature',
  'digital signature': 'digitalSignature',
  'content commitment': 'contentCommitment',
  'key encipherment': 'keyEncipherment',
  'data encipherment': 'dataEncipherment',
  'key agreement': 'keyAgreement',
  'cert sign': 'keyCertSign',
  'crl sign': 'cRLSign',
  'encipher only': 'encipherOnly',
  'decipher only': 'decipherOnly',
};

const extendedKeyUsages: Readonly<Record<string, ExtendedKeyUsage>> = {
  any: 'any',
  'server auth': 'serverAuth',
  'client auth': 'clientAuth',
  'code signing': 'codeSigning',
  'email protection': 'emailProtection',
  's/mime': 'emailProtection',
  'ipsec end system': 'ipsecEndSystem',
  'ipsec tunnel': 'ipsecTunnel',
  'ipsec user': 'ipsecUser',
  timestamping: 'timeStamping',
  'ocsp signing': 'ocspSigning',
  'microsoft sgc': 'microsoftSgc',
  'netscape sgc': 'netscapeSgc',
};

function distinct<Usage>(usages: readonly string[], table: Readonly<Record<string, Usage>>): Usage[] {
  return [...new Set(usages.map((usage) => table[usage]).filter((usage) => usage !== undefined))];
}
