import { X509Certificate } from 'node:crypto';

/** Longer chains are not followed. */
const longestChain = 8;

/** A certificate and its issuers, as sent in a TLS handshake. */
export interface PeerChain {
  /** DER of the peer's own certificate. */
  readonly der: Buffer;
  /**
   * Returns the DER of its issuer, the issuer's issuer and so on, possibly with the root. Called
   * only if needed.
   */
  readonly issuers: () => readonly Buffer[];
}

/**
 * Returns the time, in milliseconds since the epoch, until which a certificate chains to one of
 * `roots`: the earliest end of all certificates in the chain. Undefined if it does not chain to
 * them at `nowMs`. Checks only signatures, names, validity periods and the CA flag. It therefore
 * complements the verification in the TLS handshake after a change of roots and does not replace
 * it.
 */
export function trustedUntil(chain: PeerChain, roots: readonly X509Certificate[], nowMs: number): number | undefined {
  const leaf = new X509Certificate(chain.der);
  return anchoredUntil(leaf, roots, nowMs) ?? throughIssuers(leaf, chain.issuers(), roots, nowMs);
}

/**
 * True if this version of Node loses the issuers that clients send (nodejs/node#65579). Their
 * chains then consist of the leaf.
 */
export const losesIssuers = /^v(?:24\.21|26\.8)\./.test(process.version);

/**
 * Returns the time until which a chain is trusted whose issuers Node has lost: the earliest end of
 * the leaf and all roots. Undefined for other chains. Only for a chain that the handshake has
 * verified against these roots, and no others.
 */
export function trustedWithoutIssuers(chain: PeerChain, roots: readonly X509Certificate[]): number | undefined {
  if (chain.issuers().length > 0) return undefined;
  return Math.min(...[new X509Certificate(chain.der), ...roots].map(endOf));
}

/**
 * Follows the issuers to one that a root issued. Each issuer must be a valid CA that signed the
 * previous certificate.
 */
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

/**
 * The earlier end of a certificate and its root; undefined if it is neither a root nor issued by
 * one.
 */
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
  // Names are compared first: verifying a signature costs a hundred times as much.
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

const endOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);

function isValidAt(certificate: X509Certificate, nowMs: number): boolean {
  return Date.parse(certificate.validFrom) <= nowMs && nowMs <= endOf(certificate);
}
