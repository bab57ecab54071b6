import type { Identifiers } from '../../identifiers/identifiers.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import type { DecideRight } from '../resource-right.ts';
import { signerRights } from '../signer-rights.ts';

/** Lets only users who may `approve` for the signer of a certificate request decide about it. */
export function certificateApproval(identifiers: Identifiers, decide: DecideRight): AdmissionPlugin {
  const group = `certificates.${identifiers.apiDomain}`;
  const mayUseSigner = signerRights(identifiers, decide);
  const checkApprover = async (attributes: AdmissionAttributes, signerName: string): Promise<void> => {
    if (await mayUseSigner(attributes.user, 'approve', signerName)) return;
    throw forbidden(attributes, `user not permitted to approve requests with signerName ${JSON.stringify(signerName)}`);
  };
  return {
    name: 'CertificateApproval',
    operations: ['UPDATE'],
    resources: ['certificatesigningrequests'],
    validate(attributes) {
      const { resource, subresource, object } = attributes;
      const isDecision =
        resource.group === group && resource.resource === 'certificatesigningrequests' && subresource === 'approval';
      if (!object || !isDecision) return undefined;
      return checkApprover(attributes, stringAt(objectAt(object, 'spec'), 'signerName'));
    },
  };
}
