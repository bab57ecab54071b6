import type { Counter } from '../../../gen/stored/resource-v1.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { tooMany } from '../../../status/field-error.ts';
import { checkLabelName } from '../../rules/devices/device-names.ts';

const mostCounters = 32;

/** Checks the counters of an owner, at least one; all amounts are valid. */
export function checkCounters<T extends { readonly counters?: Readonly<Record<string, Counter>> }>(
  owner: FieldCursor<T>,
): void {
  const counters = (owner as unknown as FieldCursor<{ counters?: Record<string, Counter> }>).at('counters');
  const names = Object.keys(counters.value ?? {});
  if (names.length === 0) counters.reportRequired();
  else if (names.length > mostCounters) owner.report(tooMany(counters.path, names.length, mostCounters));
  else for (const name of names) checkLabelName(counters as FieldCursor<never>, name);
}
