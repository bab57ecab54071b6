import type { Schema } from '../scheme/schema.ts';
import { type FieldEntry, type FieldSet, isEmptySet, noFields } from './field-set.ts';
import { isOpen, type PathElement } from './path-element.ts';

/**
 * A set that may be older than its schema, as it is to be read now: who owned a part of what has become atomic owns the whole
 * (spec 4.8). Answers the set itself where nothing changes.
 */
export function reconcileFields(schema: Schema, fields: FieldSet): FieldSet {
  let known = knownResults.get(schema);
  if (!known) {
    known = new WeakMap();
    knownResults.set(schema, known);
  }
  let result = known.get(fields);
  if (!result) {
    result = reconcileParts(schema, fields);
    known.set(fields, result);
  }
  return result;
}

/** A cache, not state: what it holds follows from schemas and sets alone. */
const knownResults = new WeakMap<Schema, WeakMap<FieldSet, FieldSet>>();

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
  if (!isOpen(schema)) return schema.type === 'any' ? entry : { member: true, below: noFields };
  const below = reconcileParts(schema, entry.below);
  return below === entry.below ? entry : { member: entry.member, below };
}

function partOf(schema: Schema, element: PathElement): Schema | undefined {
  if (schema.type === 'list') return schema.items;
  if (schema.type === 'map') return schema.values;
  return schema.type === 'object' ? schema.fields.get(element.slice(2))?.schema : undefined;
}
