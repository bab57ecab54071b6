import { StatusError } from '../status/status-error.ts';

const textsByCode: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'x509: certificate signed by unknown authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'x509: certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'x509: certificate signed by unknown authority',
  CERT_SIGNATURE_FAILURE: 'x509: certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'x509: certificate has expired or is not yet valid',
  UND_ERR_SOCKET: 'EOF',
  ECONNRESET: 'EOF',
};

/** Describes an error of the network in the words of Go, where clients know these. */
export function networkErrorText(failure: Error): string {
  const error = failure instanceof AggregateError ? (failure.errors[0] as unknown) : failure;
  if (error instanceof StatusError) return error.message;
  if (!(error instanceof Error)) return failure.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ECONNREFUSED')
    return `dial tcp ${error.message.replace(/^connect ECONNREFUSED /, '')}: connect: connection refused`;
  if (code === 'ENOTFOUND')
    return `dial tcp: ${error.message.replace(/^getaddrinfo ENOTFOUND /, 'lookup ')}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `x509: ${error.message}`;
  return textsByCode[code] ?? error.message;
}
