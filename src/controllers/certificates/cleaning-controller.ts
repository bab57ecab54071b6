import { ignoreReasons } from '../../client/error-of-response.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type SigningRequest, signingRequests } from '../resources.ts';
import { expiresInMs } from './expires-in-ms.ts';

/** Deletes requests an hour after their decision, a day without one, and with their certificate. */
export const cleaningController: ControllerDefinition = {
  name: 'certificatesigningrequest-cleaner-controller',
  alias: 'csrcleaner',
  account: 'certificate-controller',
  run,
};

async function run({ client, identifiers, controller }: ControllerContext, signal: AbortSignal): Promise<void> {
  const reference = signingRequests(identifiers);
  const resource = client.resource(reference);
  await controller<SigningRequest>({
    name: 'csrcleaner',
    for: reference,
    async reconcile({ object }) {
      if (!object) return undefined;
      const requeueAfterMs = expiresInMs(object, Date.now());
      if (requeueAfterMs > 0) return { requeueAfterMs };
      const { name, uid } = object.metadata;
      await ignoreReasons(resource.delete(name, { preconditions: { uid }, signal }), 'NotFound', 'Conflict');
      return undefined;
    },
  }).run(signal);
}
