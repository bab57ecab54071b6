import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import { parseEncodedRequest } from '../../pki/parse-certificate-request.ts';
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
  const checkGroups = (attributes: AdmissionAttributes, spec: JsonObject): void => {
    const groups = requestedGroups(attributes, stringAt(spec, 'request'));
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
      if (isForSigner(attributes, spec)) checkGroups(attributes, spec);
      return undefined;
    },
  };
}

function requestedGroups(attributes: AdmissionAttributes, request: string): readonly string[] {
  try {
    return parseEncodedRequest(request).subject.organizations;
  } catch (error) {
    if (error instanceof PkiError) throw forbidden(attributes, `failed to parse CSR: ${error.message}`);
    throw error;
  }
}
