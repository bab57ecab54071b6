import type { PartialObjectMetadata } from '../../client/api-object.ts';
import type { DiscoveredResource } from '../../client/discovery.ts';
import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import type { RemainingContent } from './remaining-content.ts';

/** The requests for the objects of one kind in one namespace. */
export interface KindCalls {
  /** At least `limit` objects if there are as many; all by default. */
  list(limit?: number): Promise<readonly PartialObjectMetadata[]>;
  /** Deletes all objects. */
  deleteCollection(): Promise<unknown>;
  delete(name: string): Promise<unknown>;
}

/**
 * Deletes the objects of a kind in a namespace; undefined if none is left. Objects with finalizers
 * remain until those are gone, Pods until their grace period has ended. Throws if others remain.
 */
export async function deleteKind(
  namespace: string,
  resource: DiscoveredResource,
  calls: KindCalls,
): Promise<RemainingContent | undefined> {
  if ((await listed(calls, 1)).length === 0) return undefined;
  if (!(await deleteTogether(resource, calls))) await deleteEach(calls);
  const objects = await listed(calls);
  if (objects.length === 0) return undefined;
  if (objects.some(isExpected)) return { resource, objects };
  throw new UnexpectedContent(namespace, { resource, objects });
}

/** Objects remain although nothing delays their deletion. */
export class UnexpectedContent extends Error {
  override readonly name = 'UnexpectedContent';
  readonly remaining: RemainingContent;

  constructor(namespace: string, remaining: RemainingContent) {
    const { group, version, resource } = remaining.resource;
    super(
      `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${resource}`,
    );
    this.remaining = remaining;
  }
}

function isExpected({ metadata }: PartialObjectMetadata): boolean {
  const { finalizers = [], deletionTimestamp = '' } = metadata;
  return finalizers.length > 0 || Date.parse(deletionTimestamp) > Date.now();
}

/** Returns false if the kind has no such verb. */
async function deleteTogether({ verbs }: DiscoveredResource, calls: KindCalls): Promise<boolean> {
  if (!verbs.includes('deletecollection')) return false;
  try {
    await calls.deleteCollection();
    return true;
  } catch (error) {
    if (hasReason(error, 'MethodNotAllowed', 'NotFound')) return false;
    throw error;
  }
}

/** The objects of a kind that are deleted at the same time, as the server does for a collection. */
const parallelDeletes = 10;

async function deleteEach(calls: KindCalls): Promise<void> {
  const queue = (await listed(calls)).values();
  const work = async (): Promise<void> => {
    for (const { metadata } of queue) {
      await ignoreReasons(calls.delete(metadata.name ?? ''), 'NotFound', 'MethodNotAllowed');
    }
  };
  await Promise.all(Array.from({ length: parallelDeletes }, work));
}

/** A kind that is gone, or cannot be listed, has no objects. */
async function listed(calls: KindCalls, limit?: number): Promise<readonly PartialObjectMetadata[]> {
  return (await ignoreReasons(calls.list(limit), 'NotFound', 'MethodNotAllowed')) ?? [];
}
