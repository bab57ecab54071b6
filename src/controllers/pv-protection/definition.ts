import { builtInResources } from '../../client/built-in-resources.ts';
import { controller } from '../../client/controllers/controller.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { reconcile } from './reconcile.ts';

/** Keeps deleted volumes while they are bound to a claim. */
export const volumeProtection: ControllerDefinition = {
  name: 'persistentvolume-protection-controller',
  alias: 'pv-protection',
  account: 'pv-protection-controller',
  async run({ client, informers, identifiers, metrics, onError }: ControllerContext, signal): Promise<void> {
    const { persistentvolumes } = builtInResources(identifiers.set);
    await controller({
      name: 'pvprotection',
      informers,
      for: persistentvolumes,
      reconcile: ({ object }) =>
        reconcile(`${identifiers.labelDomain}/pv-protection`, object, (volume) =>
          client.resource(persistentvolumes).update(volume, { signal }),
        ),
      onError,
      metrics,
    }).run(signal);
  },
};
