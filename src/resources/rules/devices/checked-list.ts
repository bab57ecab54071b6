import { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate, tooMany } from '../../../status/field-error.ts';

/** The limit of a list, and the key in which items must differ, if any. */
interface ListRule<Item> {
  readonly limit?: number;
  readonly keyOf?: (item: Item) => string;
}

/**
 * Checks the items of a list, then that their keys differ. If the list is too long, only that is
 * reported.
 */
export function checkList<Item>(
  list: FieldCursor<readonly Item[] | undefined>,
  { limit = Infinity, keyOf }: ListRule<Item>,
  check: (item: FieldCursor<Item>) => void,
): void {
  const items = list.value ?? [];
  if (items.length > limit) {
    list.report(tooMany(list.path, items.length, limit));
    return;
  }
  for (const [index, item] of items.entries()) check(new FieldCursor(item, index, list));
  if (!keyOf) return;
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    if (seen.has(key)) list.report(duplicate(`${list.path}[${index}]`, key));
    seen.add(key);
  }
}
