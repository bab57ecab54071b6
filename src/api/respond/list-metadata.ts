import type { VersionedList } from '../../registry/definition/registry.ts';

/** The revision of a list, and its continuation. */
export type ListPosition = Pick<VersionedList, 'revision' | 'continueToken' | 'remaining'>;

/**
 * Returns the `metadata` of a list; undefined fields are omitted. A list of objects that are not
 * stored has revision 0, which is omitted.
 */
export function listMetadata({ revision, continueToken, remaining }: ListPosition): Record<string, string | number> {
  return {
    ...(revision === 0 ? {} : { resourceVersion: String(revision) }),
    ...(continueToken ? { continue: continueToken } : {}),
    ...(remaining === undefined || remaining === 0 ? {} : { remainingItemCount: remaining }),
  };
}
