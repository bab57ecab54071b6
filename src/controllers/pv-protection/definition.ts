import { builtInResources } from '../../client/built-in-resources.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import type { PersistentVolume } from '../../gen/types/core-v1.ts';

/** Keeps deleted volumes while they are bound to a claim. */
export const volumeProtection: ControllerDefinition = {
  name: 'persistentvolume-protection-controller',
  alias: 'pv-protection',
  account: 'pv-protection-controller',
  async run({ client, identifiers, controller }: ControllerContext, signal): Promise<void> {
    const { persistentvolumes } = builtInResources(identifiers.set);
    await controller({
      name: 'pvprotection',
      for: persistentvolumes,
      reconcile: ({ object }) =>
        reconcile(`${identifiers.labelDomain}/pv-protection`, object, (volume) =>
          client.resource(persistentvolumes).update(volume, { signal }),
        ),
    }).run(signal);
  },
};

/** Adds the finalizer to a volume, and removes it from a deleted volume that is not bound. */
async function reconcile(
  finalizer: string,
  volume: PersistentVolume | undefined,
  update: (volume: PersistentVolume) => Promise<unknown>,
): Promise<void> {
  if (!volume?.metadata) return;
  const { finalizers = [], deletionTimestamp } = volume.metadata;
  const has = finalizers.includes(finalizer);
  const write = (changed: string[]) => update({ ...volume, metadata: { ...volume.metadata, finalizers: changed } });
  if (!deletionTimestamp && !has) await write([...finalizers, finalizer]);
  if (deletionTimestamp && has && volume.status?.phase !== 'Bound') {
    await write(finalizers.filter((each) => each !== finalizer));
  }
}
