import { parse, stringify } from 'yaml';
import type { JsonObject } from '../../meta/json-value.ts';

/** An object as YAML; without its managed fields, which are shown by manager. */
export function yamlOf(object: JsonObject): string {
  return stringify(withoutManagers(object), { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Reads an object from YAML. Throws an error with the line for a text that is none. */
export function readYaml(text: string): JsonObject {
  const value: unknown = parse(text, { maxAliasCount: 100, uniqueKeys: true });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('this is not an object');
  return value as JsonObject;
}

/** An object without its managed fields. */
export function withoutManagers(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return object;
  const { managedFields: _, ...kept } = metadata;
  return { ...object, metadata: kept };
}
