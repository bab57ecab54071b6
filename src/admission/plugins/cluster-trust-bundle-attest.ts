import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isCollectorUpdate } from '../is-collector-update.ts';
import { isWriteTo } from '../is-write-to.ts';
import { signerRights } from '../resource-right.ts';

/**
 * Requires the right to `attest` for a signer from users who write its ClusterTrustBundles. Owners
 * and finalizers may be changed without it, for the garbage collector.
 */
export function clusterTrustBundleAttest({ identifiers, decide }: PluginContext): AdmissionPlugin {
  const group = `certificates.${identifiers.apiDomain}`;
  const mayUseSigner = signerRights(identifiers, decide);
  const checkSigner = async (attributes: AdmissionAttributes, signerName: string): Promise<void> => {
    if (await mayUseSigner(attributes.user, 'attest', signerName)) return;
    throw forbidden(attributes, `user not permitted to attest for signerName ${JSON.stringify(signerName)}`);
  };
  return {
    name: 'ClusterTrustBundleAttest',
    operations: ['CREATE', 'UPDATE'],
    resources: ['clustertrustbundles'],
    validate(attributes) {
      if (!isWriteTo(attributes, group, 'clustertrustbundles', 'CREATE', 'UPDATE')) return undefined;
      const { object, oldObject } = attributes;
      const { signerName = '' } = object.spec;
      if (signerName === '' || (oldObject && isCollectorUpdate(object, oldObject))) return undefined;
      return checkSigner(attributes, signerName);
    },
  };
}
