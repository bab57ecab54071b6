import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { isOpen } from '../../../src/apply/path-element.ts';
import type { Field, Schema } from '../../../src/scheme/model/schema.ts';
import { valueAt } from '../json-paths.ts';
import type { FieldNames } from './known-difference.ts';

/** Elements of a field set (`f:spec`, `k:{"name":"c"}`) on the way to each of its leaves. */
export function leavesOf(fields: JsonValue, above: readonly string[] = []): string[][] {
  if (!isJsonObject(fields)) return [];
  const below = Object.entries(fields).filter(([key]) => key !== '.');
  if (below.length === 0) return [[...above]];
  return below.flatMap(([key, part]) => leavesOf(part, [...above, key]));
}

/** The field of a struct that an element names. */
export function fieldAt(schema: Schema | undefined, element: string): Field | undefined {
  return schema?.type === 'object' ? schema.fields.get(element.slice(2)) : undefined;
}

/** The schema of the part that an element names. */
export function schemaAt(schema: Schema | undefined, element: string): Schema | undefined {
  if (schema?.type === 'list') return schema.items;
  return schema?.type === 'map' ? schema.values : fieldAt(schema, element)?.schema;
}

/** The maps, lists and structs of an object that some manager owns as such, without any of their entries. */
export function ownedEmpty(object: JsonValue, schema: Schema): readonly FieldNames[] {
  const entries = valueAt(object, ['metadata', 'managedFields']);
  const leaves = (Array.isArray(entries) ? entries : []).flatMap((entry) =>
    leavesOf(valueAt(entry, ['fieldsV1']) ?? {}),
  );
  return leaves
    .filter((leaf) => hasEntries(leaf.reduce<Schema | undefined>(schemaAt, schema)))
    .map((leaf) => leaf.filter((element) => element.startsWith('f:')).map((element) => element.slice(2)));
}

function hasEntries(schema: Schema | undefined): boolean {
  return schema !== undefined && schema.type !== 'any' && isOpen(schema);
}
