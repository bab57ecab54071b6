import { memoize } from '../meta/memoize.ts';
import type { Schema } from '../scheme/model/schema.ts';
import { type FieldEntry, type FieldSet, isEmptySet, noFields } from './field-set.ts';
import { partSchema } from './part-schema.ts';
import { isOpen, type PathElement } from './path-element.ts';

/**
 * Reconciles a set with a newer schema: a manager that owned a part of a value that became atomic
 * owns the whole value (spec 4.8), also of a list that the schema declared before. Returns the set
 * itself if nothing changes.
 */
export function reconcileFields(schema: Schema, fields: FieldSet): FieldSet {
  return reconciledIn(schema)(fields);
}

/** A pure cache: the results follow from schemas and sets alone. */
const reconciledIn = memoize((schema: Schema) => memoize((fields: FieldSet) => reconcileParts(schema, fields)));

function reconcileParts(schema: Schema, fields: FieldSet): FieldSet {
  let changed: Map<PathElement, FieldEntry> | undefined;
  for (const [element, entry] of fields.entries) {
    const part = partOf(schema, element);
    const reconciled = part ? reconcileEntry(part, entry) : entry;
    if (reconciled === entry) continue;
    changed ??= new Map(fields.entries);
    changed.set(element, reconciled);
  }
  return changed ? { entries: changed } : fields;
}

function reconcileEntry(schema: Schema, entry: FieldEntry): FieldEntry {
  if (isEmptySet(entry.below)) return entry;
  if (!isOpen(schema)) return schema.type === 'any' ? entry : whole;
  if (schema.type === 'map' && schema.undescribed && hasItems(entry.below)) return whole;
  const below = reconcileParts(schema, entry.below);
  return below === entry.below ? entry : { member: entry.member, below };
}

const whole: FieldEntry = Object.freeze({ member: true, below: noFields });

/** A list without a schema has one owner, so that its items come from a schema that declared it. */
function hasItems({ entries }: FieldSet): boolean {
  return [...entries.keys()].some((element) => !element.startsWith('f:'));
}

function partOf(schema: Schema, element: PathElement): Schema | undefined {
  if (schema.type === 'list') return schema.items;
  return schema.type === 'map' || schema.type === 'object' ? partSchema(schema, element.slice(2)) : undefined;
}
