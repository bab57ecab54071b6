import type { JsonObject } from '../../meta/json-value.ts';
import { namespaceOf } from '../../meta/object-meta.ts';
import { badRequest } from '../../status/status-error.ts';
import type { RequestScope } from '../definition/registry.ts';
import type { UpdateOutcome } from '../../storage/objects/guaranteed-update.ts';
import { StorageError } from '../../storage/port/storage-error.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/** Throws 400 if an object names another namespace than the request. */
export function refuseOtherNamespace({ namespace }: Pick<RequestScope, 'namespace'>, object: JsonObject): void {
  const found = namespaceOf(object);
  if (found === '' || found === namespace) return;
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

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
