import type { JsonObject } from '../../meta/json-value.ts';

/** The full name of an extension in a schema, with any prefix; undefined if there is none. */
export function extensionOf(schema: JsonObject, name: string): string | undefined {
  return Object.keys(schema).find((key) => key.startsWith('x-') && key.endsWith(`-${name}`));
}

/** True if an extension of a schema is true. */
export function hasExtension(schema: JsonObject, name: string): boolean {
  const extension = extensionOf(schema, name);
  return extension !== undefined && schema[extension] === true;
}
