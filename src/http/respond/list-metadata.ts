import type { VersionedList } from '../../registry/registry.ts';

/** `metadata` of a list; what is not told is left out. */
export function listMetadata({
  revision,
  continueToken,
  remaining,
}: Pick<VersionedList, 'revision' | 'continueToken' | 'remaining'>): Record<string, string | number> {
  return {
    resourceVersion: String(revision),
    ...(continueToken ? { continue: continueToken } : {}),
    ...(remaining === undefined || remaining === 0 ? {} : { remainingItemCount: remaining }),
  };
}
