import { equalValues } from '../apply/equal-values.ts';
import { getOwn, isJsonObject, type JsonObject } from '../meta/json-value.ts';
import type { Schema } from '../scheme/schema.ts';
import { isSettledPart, settlePart } from '../scheme/settled-parts.ts';
import type { StoredResource } from './stored-resource.ts';

/**
 * Marks the large part of a valid object, if its kind has one, so that a later write that does
 * not change the part need not decode and validate it again.
 */
export function settleLargePart({ strategy, storageVersion }: StoredResource, object: JsonObject): void {
  const { largePart } = strategy;
  if (!largePart) return;
  const part = parentOf(object, largePart)?.[largePart.at(-1) ?? ''];
  const schema = schemaAt(storageVersion.schema, largePart);
  if (isJsonObject(part) && schema?.type === 'object') settlePart(schema, part);
}

/** Reuses the old object's large part if it is equal. Mutates `object`. */
export function shareLargePart({ strategy }: StoredResource, object: JsonObject, old: JsonObject): void {
  const { largePart } = strategy;
  if (!largePart) return;
  const name = largePart.at(-1) ?? '';
  const [parent, oldParent] = [parentOf(object, largePart), parentOf(old, largePart)];
  const [part, known] = [parent && getOwn(parent, name), oldParent && getOwn(oldParent, name)];
  if (!parent || part === known || !isJsonObject(known) || !isSettledPart(known)) return;
  if (equalValues(part, known)) parent[name] = known;
}

/** The object that contains the last field of a path. */
function parentOf(object: JsonObject, path: readonly string[]): JsonObject | undefined {
  let at: JsonObject = object;
  for (const name of path.slice(0, -1)) {
    const next = getOwn(at, name);
    if (!isJsonObject(next)) return undefined;
    at = next;
  }
  return at;
}

function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>(
    (at, name) => (at?.type === 'object' ? at.fields.get(name)?.schema : undefined),
    schema,
  );
}
