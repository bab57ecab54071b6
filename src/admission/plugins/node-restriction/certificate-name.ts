import type { CertificateSigningRequest } from '../../../gen/stored/certificates-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { nodeUserPrefix } from '../../../meta/user-info.ts';
import { parseEncodedRequest } from '../../../pki/parse-certificate-request.ts';
import { PkiError } from '../../../pki/pki-error.ts';
import type { AdmissionAttributes } from '../../admission.ts';

/** The reason why a node may not request a certificate of a node agent; '' if it may. */
export function certificateNameError(
  { operation, object }: AdmissionAttributes<CertificateSigningRequest>,
  nodeName: string,
  { labelDomain, nodeAgent, prefix }: Identifiers,
): string {
  if (operation !== 'CREATE' || !object) return '';
  const { signerName, request } = object.spec;
  const signers = [`${nodeAgent}-serving`, `${prefix}apiserver-client-${nodeAgent}`];
  if (!signers.some((signer) => signerName === `${labelDomain}/${signer}`)) return '';
  const wanted = `${nodeUserPrefix}${nodeName}`;
  try {
    const { commonNames } = parseEncodedRequest(request).subject;
    const isOwn = commonNames.length > 0 && commonNames.every((name) => name === wanted);
    return isOwn ? '' : `can only create a node CSR with CN=${wanted}`;
  } catch (error) {
    if (error instanceof PkiError) return `unable to parse csr: ${error.message}`;
    throw error;
  }
}
