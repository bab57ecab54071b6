import type { CertificateSigningRequest } from '../../gen/stored/certificates-v1.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';
import { signerRights } from '../resource-right.ts';

/**
 * Lets only users who may `sign` for the signer of a certificate request change its certificate or
 * its conditions.
 */
export function certificateSigning({ identifiers, decide }: PluginContext): AdmissionPlugin {
  const group = `certificates.${identifiers.apiDomain}`;
  const mayUseSigner = signerRights(identifiers, decide);
  const checkSigner = async (attributes: AdmissionAttributes, signerName: string): Promise<void> => {
    if (await mayUseSigner(attributes.user, 'sign', signerName)) return;
    throw forbidden(attributes, `user not permitted to sign requests with signerName ${JSON.stringify(signerName)}`);
  };
  return {
    name: 'CertificateSigning',
    operations: ['UPDATE'],
    resources: ['certificatesigningrequests'],
    validate(attributes) {
      if (!isWriteTo(attributes, group, 'certificatesigningrequests/status', 'UPDATE')) return undefined;
      const { object, oldObject } = attributes;
      if (!oldObject || isSameAnswer(object, oldObject)) return undefined;
      return checkSigner(attributes, oldObject.spec.signerName);
    },
  };
}

function isSameAnswer({ status }: CertificateSigningRequest, { status: old }: CertificateSigningRequest): boolean {
  return (['certificate', 'conditions'] as const).every((field) => sameValue(status[field], old[field]));
}
