import { copyJson, copyJsonObject, isJsonObject, type JsonObject, setOwn } from '../../meta/json-value.ts';

/** Copies an object so that it can be mutated, all but the list of managers. */
export function copyObject(object: JsonObject): JsonObject {
  const copy: JsonObject = {};
  for (const [name, part] of Object.entries(object)) {
    setOwn(copy, name, name === 'metadata' && isJsonObject(part) ? copyMetadata(part) : copyJson(part));
  }
  return copy;
}

/**
 * Copies metadata so that it can be mutated. The list of managers is shared, because it is only
 * ever replaced.
 */
export function copyMetadata({ managedFields, ...metadata }: JsonObject): JsonObject {
  const copy = copyJsonObject(metadata);
  if (managedFields !== undefined) copy['managedFields'] = managedFields;
  return copy;
}
