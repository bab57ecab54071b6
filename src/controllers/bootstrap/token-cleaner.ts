import { controller } from '../../client/controllers/controller.ts';
import { hasReason } from '../../client/status-error.ts';
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

async function run(
  { client, informers, identifiers, metrics, onError }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const resource = client.resource(secrets);
  await controller<BootstrapSecret>({
    name: 'tokencleaner',
    informers,
    for: secrets,
    select: bootstrapSelection(identifiers),
    metrics,
    onError,
    async reconcile({ object, name, namespace }) {
      const requeueAfterMs = object && expiresInMs(object, Date.now());
      if (requeueAfterMs === undefined || requeueAfterMs > 0) return { requeueAfterMs };
      try {
        await resource.delete(name, { namespace, preconditions: { uid: object?.metadata.uid }, signal });
      } catch (error) {
        if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
      }
      return undefined;
    },
  }).run(signal);
}
