/** Hints for server certificates that a client does not accept, by the code of Node's TLS. */
const hints: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the server has expired; renew it, and compare the clocks of both machines',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet; compare the clocks of both machines',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate of the server does not name this host; use one of its names in "server" of the client config, or set "tls-server-name" there to one',
};

const unknownAuthority =
  'the client config does not trust the CA of the server; set "certificate-authority" or "certificate-authority-data" of its cluster to that CA';

const unknownAuthorityCodes: ReadonlySet<string> = new Set([
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Returns the hint for a connection that failed because of the certificate of the server; undefined
 * for other failures. The code may be in a cause, at any depth.
 */
export function certificateHint(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (unknownAuthorityCodes.has(code)) return unknownAuthority;
  if (Object.hasOwn(hints, code)) return hints[code];
  return certificateHint(error instanceof AggregateError ? error.errors[0] : error.cause);
}
