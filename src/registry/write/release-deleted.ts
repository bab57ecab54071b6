import type { UpdateOutcome } from '../../storage/objects/guaranteed-update.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/** Releases the allocations of an object that a write removed. */
export async function releaseDeleted(
  { allocator }: StoredResource,
  dryRun: boolean,
  { action, object }: UpdateOutcome,
): Promise<void> {
  if (allocator && !dryRun && action === 'deleted' && object) await allocator.release(object.decode());
}

/** Reports whether a failed write may have been carried out; its allocations must then be kept. */
export function mayBeWritten(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'UnknownOutcome';
}
