import { equalValues } from '../../scheme/model/equal-values.ts';
import { getOwn, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import type { Schema } from '../../scheme/model/schema.ts';
import { isValidatedPart, markValidated } from '../../scheme/validated-parts.ts';
import type { StoredResource } from '../definition/stored-resource.ts';

/**
 * Marks the template of a valid object, if its kind has one, so that a later write that does not
 * change it need not decode and validate it again.
 */
export function markTemplateValidated({ strategy, storageVersion }: StoredResource, object: JsonObject): void {
  const { templatePath } = strategy;
  if (!templatePath) return;
  const part = parentOf(object, templatePath)?.[templatePath.at(-1) ?? ''];
  const schema = schemaAt(storageVersion.schema, templatePath);
  if (isJsonObject(part) && schema?.type === 'object') markValidated(schema, part);
}

/** Reuses the old object's validated template if it is equal. Mutates `object`. */
export function reuseTemplate({ strategy }: StoredResource, object: JsonObject, old: JsonObject): void {
  const { templatePath } = strategy;
  if (!templatePath) return;
  const name = templatePath.at(-1) ?? '';
  const [parent, oldParent] = [parentOf(object, templatePath), parentOf(old, templatePath)];
  const [part, known] = [parent && getOwn(parent, name), oldParent && getOwn(oldParent, name)];
  if (!parent || part === known || !isJsonObject(known) || !isValidatedPart(known)) return;
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
