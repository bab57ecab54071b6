import { createHash } from 'node:crypto';
import { builtInResources } from '../../client/built-in-resources.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { ClusterTrustBundle } from '../../gen/types/certificates-v1beta1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { untilServed } from '../until-served.ts';

/** Publishes the server's CA as a ClusterTrustBundle of its signer, and deletes earlier bundles. */
export const trustBundlePublisher: ControllerDefinition = {
  name: 'apiserver-serving-clustertrustbundle-publisher-controller',
  alias: 'apiserver-serving-clustertrustbundle-publisher-controller',
  account: '{prefix}apiserver-serving-clustertrustbundle-publisher',
  async run(context: ControllerContext, signal): Promise<void> {
    const { client, identifiers, rootCa, controller } = context;
    if (rootCa === undefined) return;
    const { clustertrustbundles } = builtInResources(identifiers.set);
    const bundles = await untilServed(context, clustertrustbundles, ['v1alpha1'], signal);
    const writer = client.resource(bundles);
    const signerName = `${identifiers.labelDomain}/${identifiers.prefix}apiserver-serving`;
    const hash = createHash('sha256').update(rootCa).digest('hex').slice(0, 24);
    const name = `${signerName.replaceAll('/', ':')}:${hash}`;
    const spec = { signerName, trustBundle: rootCa };
    const create = () => ignoreReasons(writer.create({ metadata: { name }, spec }, { signal }), 'AlreadyExists');
    await create();
    await controller<ClusterTrustBundle>({
      name: 'ca_cert_publisher_cluster_trust_bundles',
      for: bundles,
      async reconcile({ object, name: of }) {
        if (of === name && !object) await create();
        else if (of === name && object?.spec?.trustBundle !== rootCa) {
          await writer.update({ ...object, spec }, { signal });
        } else if (of !== name && object?.spec?.signerName === signerName) {
          await ignoreReasons(writer.delete(of, { signal }), 'NotFound');
        }
      },
    }).run(signal);
  },
};
