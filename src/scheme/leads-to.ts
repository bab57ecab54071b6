import type { Field, Schema } from './model/schema.ts';

/** Reports whether a field or any field below it is `wanted`. Handles recursive messages. */
export function leadsTo(field: Field, wanted: (field: Field) => boolean): boolean {
  return search(field, wanted, new Set());
}

function search(field: Field, wanted: (field: Field) => boolean, seen: Set<Schema>): boolean {
  return wanted(field) || searchIn(field.schema, wanted, seen);
}

function searchIn(schema: Schema, wanted: (field: Field) => boolean, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (schema.type === 'list') return searchIn(schema.items, wanted, seen);
  if (schema.type === 'map') return searchIn(schema.values, wanted, seen);
  return schema.type === 'object' && [...schema.fields.values()].some((field) => search(field, wanted, seen));
}
