import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Condition, StoredMetadata } from './workload.ts';

/** A CertificateSigningRequest that a server has stored. */
export interface SigningRequest extends ApiObject {
  metadata: StoredMetadata;
  spec: {
    /** Base64 of PEM. */
    request: string;
    signerName: string;
    expirationSeconds?: number;
    usages?: string[];
    username?: string;
    uid?: string;
    groups?: string[];
    extra?: Record<string, string[]>;
  };
  status?: {
    conditions?: Condition[];
    /** Base64 of PEM. */
    certificate?: string;
  };
}

/** The resource of CertificateSigningRequests. */
export function signingRequests({ apiDomain }: Identifiers): ResourceReference<SigningRequest> {
  const group = `certificates.${apiDomain}`;
  return { group, version: 'v1', resource: 'certificatesigningrequests', namespaced: false };
}

/** True if a request has a condition, which is true or absent. */
export function hasDecision({ status }: SigningRequest, type: 'Approved' | 'Denied' | 'Failed'): boolean {
  return status?.conditions?.some((condition) => condition.type === type) ?? false;
}
