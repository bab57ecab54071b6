import { X509Certificate } from 'node:crypto';

/** Longer chains than this are not followed. */
const longestChain = 8;

/** A certificate and the certificates above it, as a TLS peer's handshake found them. */
export interface PeerChain {
  /** DER of the peer's own certificate. */
  readonly der: Buffer;
  /** DER of its issuer, the issuer's issuer and so on, the root perhaps included. Called only where it is needed. */
  readonly issuers: () => readonly Buffer[];
}

/**
 * The time, in milliseconds since the epoch, until which a certificate chains to one of `roots`: the earliest end of all
 * certificates on the way. Undefined where it does not chain to them at `nowMs`. It looks at signatures, names, times and the
 * CA flag alone, so it stands beside the verification of a TLS handshake, after the roots have changed, and not in its place.
 */
export function trustedUntil(chain: PeerChain, roots: readonly X509Certificate[], nowMs: number): number | undefined {
  const leaf = new X509Certificate(chain.der);
  return anchoredUntil(leaf, roots, nowMs) ?? throughIssuers(leaf, chain.issuers(), roots, nowMs);
}

/** Follows the issuers, each of which must be a CA that signed the certificate below it, up to one that a root issued. */
function throughIssuers(
  leaf: X509Certificate,
  issuers: readonly Buffer[],
  roots: readonly X509Certificate[],
  nowMs: number,
): number | undefined {
  let below = leaf;
  let endMs = endOf(leaf);
  for (const der of issuers.slice(0, longestChain)) {
    const issuer = new X509Certificate(der);
    if (!issuer.ca || !isIssuedBy(below, issuer) || !isValidAt(issuer, nowMs)) return undefined;
    endMs = Math.min(endMs, endOf(issuer));
    const anchored = anchoredUntil(issuer, roots, nowMs);
    if (anchored !== undefined) return Math.min(endMs, anchored);
    below = issuer;
  }
  return undefined;
}

/** The end of a certificate that is one of the roots or issued by one, and of that root. */
function anchoredUntil(
  certificate: X509Certificate,
  roots: readonly X509Certificate[],
  nowMs: number,
): number | undefined {
  if (!isValidAt(certificate, nowMs)) return undefined;
  const root = roots.find(
    (candidate) =>
      isValidAt(candidate, nowMs) && (candidate.raw.equals(certificate.raw) || isIssuedBy(certificate, candidate)),
  );
  return root && Math.min(endOf(certificate), endOf(root));
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  // Names first: a signature costs a hundred times as much.
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

const endOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);

function isValidAt(certificate: X509Certificate, nowMs: number): boolean {
  return Date.parse(certificate.validFrom) <= nowMs && nowMs <= endOf(certificate);
}
