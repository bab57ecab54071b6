import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';

/** Some of the fields of a message, and the parts of the message in which there are such fields. */
export interface FieldTree<Found extends { readonly name: string }> {
  readonly fields: readonly Found[];
  readonly parts: readonly FieldPart<Found>[];
}

/** A field whose values are messages with wanted fields. */
export interface FieldPart<Found extends { readonly name: string }> {
  readonly name: string;
  /** True if the field is a map; its values may be lists, too. */
  readonly isMap: boolean;
  readonly tree: FieldTree<Found>;
}

/** Calls `found` for each field of a tree that is set in an object. Other parts are not visited. */
export function visitFields<Found extends { readonly name: string }>(
  { fields, parts }: FieldTree<Found>,
  message: JsonObject,
  found: (message: JsonObject, field: Found) => void,
): void {
  for (const field of fields) if (getOwn(message, field.name) !== undefined) found(message, field);
  for (const { name, isMap, tree } of parts) {
    const value = getOwn(message, name);
    if (value === undefined || value === null) continue;
    if (!isMap) visitAll(tree, value, found);
    else if (isJsonObject(value)) for (const one of Object.values(value)) visitAll(tree, one, found);
  }
}

/** The messages in a list, or the one message. */
function visitAll<Found extends { readonly name: string }>(
  tree: FieldTree<Found>,
  value: JsonValue,
  found: (message: JsonObject, field: Found) => void,
): void {
  if (Array.isArray(value)) for (const item of value) visitAll(tree, item, found);
  else if (isJsonObject(value)) visitFields(tree, value, found);
}
