import { parseCertificateRequest } from '../../pki/parse-certificate-request.ts';
import type { SigningRequest } from '../kinds/signing-request.ts';
import { nodeClientFault } from './signer-rules.ts';

/** The common name of a request for a client certificate of a node; undefined for others. */
export function nodeClientSubject({ spec }: SigningRequest): string | undefined {
  const request = parseCertificateRequest(Buffer.from(spec.request, 'base64').toString());
  return nodeClientFault(request, spec.usages ?? []) === undefined ? request.subject.commonName : undefined;
}
