import type { JsonObject } from '../../../meta/json-value.ts';

/** The full name of an extension that a schema has, whichever spelling its author chose; undefined where it has none. */
export function extensionOf(schema: JsonObject, name: string): string | undefined {
  return Object.keys(schema).find((key) => key.startsWith('x-') && key.endsWith(`-${name}`));
}

/** Whether a schema has an extension that says yes. */
export function hasExtension(schema: JsonObject, name: string): boolean {
  const extension = extensionOf(schema, name);
  return extension !== undefined && schema[extension] === true;
}
