import type { PersistentVolume } from '../../gen/types/core-v1.ts';

/** Adds the finalizer to a volume, and removes it from a deleted volume that is not bound. */
export async function reconcile(
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
