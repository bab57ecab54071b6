import type { CertificateSigningRequest } from '../../gen/types/certificates-v1.ts';

/** True if a request has a condition, which is true or absent. */
export function hasDecision({ status }: CertificateSigningRequest, type: 'Approved' | 'Denied' | 'Failed'): boolean {
  return status?.conditions?.some((condition) => condition.type === type) ?? false;
}
