import { parseEncodedRequest } from '../../pki/parse-certificate-request.ts';
import { PkiError } from '../../pki/pki-error.ts';
import { signerRules } from '../../pki/signer-rules.ts';
import type { SigningRequest } from '../resources.ts';

/**
 * The common name of a request that the signer of client certificates of nodes takes; undefined
 * for others.
 */
export function nodeClientSubject({ spec }: SigningRequest): string | undefined {
  try {
    const request = parseEncodedRequest(spec.request);
    const fault = signerRules['node-client'](request, spec.usages ?? []);
    return fault === undefined ? request.subject.commonName : undefined;
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}
