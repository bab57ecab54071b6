import { parseEncodedRequest } from '../../pki/parse-certificate-request.ts';
import { PkiError } from '../../pki/pki-error.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/** The group with all permissions. */
const mastersGroup = 'system:masters';

/** Refuses requests for client certificates with the group `system:masters` (spec 2.5). */
export function certificateSubjectRestriction({ identifiers }: PluginContext): AdmissionPlugin {
  const group = `certificates.${identifiers.apiDomain}`;
  const signer = `${identifiers.labelDomain}/${identifiers.prefix}apiserver-client`;
  return {
    name: 'CertificateSubjectRestriction',
    operations: ['CREATE'],
    resources: ['certificatesigningrequests'],
    validate(attributes) {
      if (!isWriteTo(attributes, group, 'certificatesigningrequests', 'CREATE')) return;
      const { signerName, request } = attributes.object.spec;
      if (signerName !== signer || !requestedGroups(attributes, request).includes(mastersGroup)) return;
      throw forbidden(attributes, `use of ${signer} signer with ${mastersGroup} group is not allowed`);
    },
  };
}

function requestedGroups(attributes: AdmissionAttributes, request: string | null): readonly string[] {
  try {
    return parseEncodedRequest(request).subject.organizations;
  } catch (error) {
    if (error instanceof PkiError) throw forbidden(attributes, `failed to parse CSR: ${error.message}`);
    throw error;
  }
}
