import type { UpdateOutcome } from '../storage/guaranteed-update.ts';
import { StorageError } from '../storage/storage-error.ts';
import type { StoredResource } from './stored-resource.ts';

/** Gives back what an object held that a write has removed. */
export async function releaseDeleted(
  { allocator }: StoredResource,
  dryRun: boolean,
  { action, object }: UpdateOutcome,
): Promise<void> {
  if (allocator && !dryRun && action === 'deleted' && object) await allocator.release(object.decode());
}

/** Whether a write that failed may have been carried out all the same: what was taken for it is then kept. */
export function mayBeWritten(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'UnknownOutcome';
}
