import type { FlagRule, FlagTable } from './flag-table.ts';

/**
 * Rules that refuse removed flags: one for each row of a table with `removed`. `isGone` compares
 * that release with the one that the flags choose.
 */
export function removedFlagRules<T extends FlagTable>(
  table: T,
  isGone: (removed: string, flags: Parameters<FlagRule<T>>[0]['values']) => boolean,
): readonly FlagRule<T>[] {
  return Object.entries(table).flatMap(([name, { removed }]): FlagRule<T>[] => {
    if (removed === undefined) return [];
    return [
      ({ values, given }) =>
        given(name) && isGone(removed, values) ? `--${name} was removed in release ${removed}` : undefined,
    ];
  });
}
