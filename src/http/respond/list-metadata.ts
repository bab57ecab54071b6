import type { VersionedList } from '../../registry/registry.ts';

/** Where a list is: its revision, and what follows behind it. */
export type ListPosition = Pick<VersionedList, 'revision' | 'continueToken' | 'remaining'>;

/**
 * `metadata` of a list; unknown fields are left out. A list of objects that are not stored has no
 * revision: 0.
 */
export function listMetadata({ revision, continueToken, remaining }: ListPosition): Record<string, string | number> {
  return {
    ...(revision === 0 ? {} : { resourceVersion: String(revision) }),
    ...(continueToken ? { continue: continueToken } : {}),
    ...(remaining === undefined || remaining === 0 ? {} : { remainingItemCount: remaining }),
  };
}
