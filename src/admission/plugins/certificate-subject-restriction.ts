import type { Identifiers } from '../../identifiers/identifiers.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import { PkiError } from '../../pki/pki-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/** The group with all permissions. */
const mastersGroup = 'system:masters';

/** Refuses requests for client certificates with the group `system:masters` (spec 2.5). */
export function certificateSubjectRestriction(identifiers: Identifiers): AdmissionPlugin {
  const group = `certificates.${identifiers.apiDomain}`;
  const signer = `${identifiers.labelDomain}/${identifiers.prefix}apiserver-client`;
  return {
    name: 'CertificateSubjectRestriction',
    operations: ['CREATE'],
    async validate(attributes) {
      const { object } = attributes;
      if (!object || !isWriteTo(attributes, group, 'certificatesigningrequests', 'CREATE')) return;
      const spec = objectAt(object, 'spec');
      if (stringAt(spec, 'signerName') !== signer) return;
      const groups = await requestedGroups(attributes, stringAt(spec, 'request'));
      if (groups.includes(mastersGroup)) {
        throw forbidden(attributes, `use of ${signer} signer with ${mastersGroup} group is not allowed`);
      }
    },
  };
}

async function requestedGroups(attributes: AdmissionAttributes, request: string): Promise<readonly string[]> {
  const { parseCertificateRequest } = await import('../../pki/parse-certificate-request.ts');
  try {
    return parseCertificateRequest(Buffer.from(request, 'base64').toString('utf8')).subject.organizations;
  } catch (error) {
    if (error instanceof PkiError) throw forbidden(attributes, `failed to parse CSR: ${error.message}`);
    throw error;
  }
}
