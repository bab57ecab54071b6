import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
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
  const isForSigner = (attributes: AdmissionAttributes, spec: JsonObject): boolean =>
    isWriteTo(attributes, group, 'certificatesigningrequests', 'CREATE') && stringAt(spec, 'signerName') === signer;
  const checkGroups = async (attributes: AdmissionAttributes, spec: JsonObject): Promise<void> => {
    const groups = await requestedGroups(attributes, stringAt(spec, 'request'));
    if (groups.includes(mastersGroup)) {
      throw forbidden(attributes, `use of ${signer} signer with ${mastersGroup} group is not allowed`);
    }
  };
  return {
    name: 'CertificateSubjectRestriction',
    operations: ['CREATE'],
    resources: ['certificatesigningrequests'],
    validate(attributes) {
      const spec = objectAt(attributes.object ?? {}, 'spec');
      return isForSigner(attributes, spec) ? checkGroups(attributes, spec) : undefined;
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
