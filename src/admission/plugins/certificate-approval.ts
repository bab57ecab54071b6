import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';
import { signerRights } from '../resource-right.ts';

/** Lets only users who may `approve` for the signer of a certificate request decide about it. */
export function certificateApproval({ identifiers, decide }: PluginContext): AdmissionPlugin {
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
      const isDecision = isWriteTo(attributes, group, 'certificatesigningrequests/approval', 'UPDATE');
      return isDecision ? checkApprover(attributes, attributes.object.spec.signerName) : undefined;
    },
  };
}
