import type { VersionedList } from '../../registry/registry.ts';

/** `metadata` of a list; what is not told is left out. A list of what is not stored has no revision: 0. */
export function listMetadata({
  revision,
  continueToken,
  remaining,
}: Pick<VersionedList, 'revision' | 'continueToken' | 'remaining'>): Record<string, string | number> {
  return {
    ...(revision === 0 ? {} : { resourceVersion: String(revision) }),
    ...(continueToken ? { continue: continueToken } : {}),
    ...(remaining === undefined || remaining === 0 ? {} : { remainingItemCount: remaining }),
  };
}
