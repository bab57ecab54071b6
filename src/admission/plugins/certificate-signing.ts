import type { Identifiers } from '../../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../../meta/json-value.ts';
import { objectAt, sameValue, stringAt } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import type { DecideRight } from '../resource-right.ts';
import { signerRights } from '../signer-rights.ts';

/**
 * Lets only users who may `sign` for the signer of a certificate request change its certificate or
 * its conditions.
 */
export function certificateSigning(identifiers: Identifiers, decide: DecideRight): AdmissionPlugin {
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
      const { resource, subresource, object, oldObject } = attributes;
      const isStatus =
        resource.group === group && resource.resource === 'certificatesigningrequests' && subresource === 'status';
      if (!object || !oldObject || !isStatus || isSameAnswer(object, oldObject)) return undefined;
      return checkSigner(attributes, stringAt(objectAt(oldObject, 'spec'), 'signerName'));
    },
  };
}

function isSameAnswer(request: JsonObject, old: JsonObject): boolean {
  const [status, oldStatus] = [objectAt(request, 'status'), objectAt(old, 'status')];
  return ['certificate', 'conditions'].every((field) => sameValue(getOwn(status, field), getOwn(oldStatus, field)));
}
