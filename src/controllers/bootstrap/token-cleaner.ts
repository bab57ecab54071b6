import { ignoreReasons } from '../../client/error-of-response.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type BootstrapSecret, bootstrapSelection, expiresInMs, secrets } from './bootstrap-secrets.ts';

/** Deletes bootstrap tokens when they expire. */
export const tokenCleaner: ControllerDefinition = {
  name: 'token-cleaner-controller',
  alias: 'tokencleaner',
  account: 'token-cleaner',
  onByDefault: false,
  run,
};

async function run({ client, identifiers, controller }: ControllerContext, signal: AbortSignal): Promise<void> {
  const resource = client.resource(secrets);
  await controller<BootstrapSecret>({
    name: 'tokencleaner',
    for: secrets,
    select: bootstrapSelection(identifiers),
    async reconcile({ object, name, namespace }) {
      const requeueAfterMs = object && expiresInMs(object, Date.now());
      if (requeueAfterMs === undefined || requeueAfterMs > 0) return { requeueAfterMs };
      await ignoreReasons(
        resource.delete(name, { namespace, preconditions: { uid: object?.metadata.uid }, signal }),
        'NotFound',
        'Conflict',
      );
      return undefined;
    },
  }).run(signal);
}
