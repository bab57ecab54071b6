import { forbidden as forbiddenField } from '../status/field-error.ts';
import { invalidObject } from '../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from './admission.ts';
import { isWriteTo } from './is-write-to.ts';
import { signerRights } from './resource-right.ts';

/**
 * Requires the right to `sign` for the signer from users who set the certificate of a
 * PodCertificateRequest. It cannot be disabled, because it is not a plugin.
 */
export function podCertificateSigning({ identifiers, decide }: PluginContext): AdmissionPlugin {
  const group = `certificates.${identifiers.apiDomain}`;
  const mayUseSigner = signerRights(identifiers, decide);
  const checkSigner = async ({ user, name }: AdmissionAttributes, signerName: string): Promise<void> => {
    if (await mayUseSigner(user, 'sign', signerName)) return;
    const detail = `User ${JSON.stringify(user.username)} is not permitted to "sign" for signer ${JSON.stringify(signerName)}`;
    const kind = { group, resource: 'PodCertificateRequest' };
    throw invalidObject(kind, name, [forbiddenField('spec.signerName', detail)]);
  };
  return {
    name: 'PodCertificateSigning',
    operations: ['UPDATE'],
    resources: ['podcertificaterequests'],
    validate(attributes) {
      if (!isWriteTo(attributes, group, 'podcertificaterequests/status', 'UPDATE')) return undefined;
      const { object, oldObject } = attributes;
      const isSame = object.status.certificateChain === oldObject?.status.certificateChain;
      return isSame ? undefined : checkSigner(attributes, oldObject?.spec.signerName ?? object.spec.signerName);
    },
  };
}
