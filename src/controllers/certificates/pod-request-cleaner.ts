import { builtInResources } from '../../client/built-in-resources.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { PodCertificateRequest } from '../../gen/types/certificates-v1beta1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { untilServed } from '../until-served.ts';

/**
 * How long a request is kept after its creation, decided or not: node agents read the result at
 * once.
 */
const keptMs = 15 * 60_000;

/** Deletes PodCertificateRequests a quarter of an hour after their creation. */
export const podRequestCleaner: ControllerDefinition = {
  name: 'podcertificaterequest-cleaner-controller',
  alias: 'podcertificaterequest-cleaner-controller',
  account: 'podcertificaterequestcleaner',
  async run({ client, discovery, identifiers, controller, now }: ControllerContext, signal): Promise<void> {
    const { podcertificaterequests } = builtInResources(identifiers.set);
    const reference = await untilServed({ client, discovery }, podcertificaterequests, ['v1alpha1'], signal);
    const requests = client.resource<PodCertificateRequest>(reference);
    await controller<PodCertificateRequest>({
      name: 'podcertificaterequestcleaner',
      for: reference,
      async reconcile({ object, namespace }) {
        const { name = '', uid, creationTimestamp = '' } = object?.metadata ?? {};
        if (!object) return undefined;
        const requeueAfterMs = Date.parse(creationTimestamp) + keptMs - now();
        if (requeueAfterMs > 0) return { requeueAfterMs };
        const preconditions = uid === undefined ? {} : { preconditions: { uid } };
        await ignoreReasons(requests.delete(name, { namespace, ...preconditions, signal }), 'NotFound', 'Conflict');
        return undefined;
      },
    }).run(signal);
  },
};
