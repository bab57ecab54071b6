import { createPublicKey, type X509Certificate } from 'node:crypto';
import { certificateSubject } from '../certificate-subject.ts';
import {
  type CertificateFolder,
  hasKey,
  isIssuedBy,
  type StoredCertificates,
  type StoredKey,
  type StoredPublicKey,
} from './read-certificates.ts';

/** A certificate or a key pair, and what is wrong with it. */
export interface CheckedCertificate {
  readonly name: string;
  readonly file: string;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** DNS names and addresses of a server. */
  readonly names: readonly string[];
  /** The name of the CA that issued it, or its own; empty if the folder does not have it. */
  readonly issuer: string;
  readonly isAuthority: boolean;
  /** The start of its validity; undefined for a key pair, and for an invalid certificate. */
  readonly notBefore: Date | undefined;
  readonly notAfter: Date | undefined;
  readonly problems: readonly string[];
}

/**
 * Checks all certificates and key pairs of a folder: the validity of each now and until `withinMs`
 * later, its signature, and its key. A certificate whose key is elsewhere is none the worse.
 */
export function checkCertificates(
  folder: CertificateFolder,
  withinMs: number,
  nowMs = Date.now(),
): CheckedCertificate[] {
  const authorities = folder.certificates.flatMap((file) =>
    file.certificates.filter(({ ca }) => ca).map((certificate) => ({ name: file.name, certificate })),
  );
  const checked = folder.certificates.flatMap((file) => {
    if (file.certificates.length === 0) return [withoutCertificate(file, ['is no certificate in PEM'])];
    return file.certificates.map((certificate, index): CheckedCertificate => {
      const issuer = authorities.find((authority) => isIssuedBy(certificate, authority.certificate));
      return {
        ...described(file, certificate),
        issuer: issuer?.name ?? '',
        problems: [
          ...validityProblems(certificate, { withinMs, nowMs }),
          ...(issuer ? [] : ['is not signed by a CA of the folder']),
          // The key of a file belongs to its first certificate.
          ...(index === 0 ? keyProblems(file.key, hasKey(certificate, file.key)) : []),
        ],
      };
    });
  });
  return [...checked, ...folder.publicKeys.map(checkPair)];
}

function described({ name, path }: StoredCertificates, certificate: X509Certificate) {
  const { commonName, organizations } = certificateSubject(certificate.raw);
  return {
    name,
    file: path,
    commonName,
    organizations,
    names: namesOf(certificate),
    isAuthority: certificate.ca,
    notBefore: new Date(certificate.validFrom),
    notAfter: new Date(certificate.validTo),
  };
}

function withoutCertificate(
  { name, path: file }: StoredCertificates | StoredPublicKey,
  problems: readonly string[],
): CheckedCertificate {
  return {
    name,
    file,
    commonName: '',
    organizations: [],
    names: [],
    issuer: '',
    isAuthority: false,
    notBefore: undefined,
    notAfter: undefined,
    problems,
  };
}

/** Node writes `DNS:a, IP Address:1.2.3.4`, and quotes names that have commas. */
function namesOf({ subjectAltName = '' }: X509Certificate): readonly string[] {
  const names = subjectAltName.match(/(?:[^,"]|"(?:\\.|[^"\\])*")+/g) ?? [];
  return names.map((name) => name.trim().replace(/^(?:DNS|IP Address):/, ''));
}

function validityProblems(
  { validFrom, validTo }: X509Certificate,
  { withinMs, nowMs }: { readonly withinMs: number; readonly nowMs: number },
): readonly string[] {
  const end = Date.parse(validTo);
  if (Date.parse(validFrom) > nowMs) return ['is not valid yet'];
  if (end <= nowMs) return ['has expired'];
  return end - nowMs <= withinMs ? ['expires soon'] : [];
}

function keyProblems(stored: StoredKey | undefined, belongs: boolean): readonly string[] {
  if (!stored) return [];
  if (!stored.key) return [`${stored.path} is no private key in PEM`];
  return [
    ...(belongs ? [] : ['is for another key']),
    ...((stored.mode & 0o077) === 0 ? [] : ['others can access its key']),
  ];
}

function checkPair(pair: StoredPublicKey): CheckedCertificate {
  if (!pair.publicKey) return withoutCertificate(pair, ['is no public key in PEM']);
  const belongs = pair.key?.key !== undefined && pair.publicKey.equals(createPublicKey(pair.key.key));
  return withoutCertificate(pair, keyProblems(pair.key, belongs));
}
