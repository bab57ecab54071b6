import type { CustomResourceDefinitionSpec } from '../../gen/stored/apiextensions-v1.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { stringAt } from '../../meta/read-field.ts';
import { isSince } from '../../scheme/api-release.ts';
import { isKnownFormat } from '../../scheme/structural/value-format.ts';

/** The release that began to warn. */
const firstRelease = '1.34';

/**
 * Warns of formats in a definition that no value is checked for. Formats that the definition had
 * before are not new.
 */
export function formatWarnings(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
  release: string,
): readonly string[] {
  if (!isSince(release, firstRelease)) return [];
  const before = new Set(old ? formatsOf(old) : []);
  return formatsOf(spec)
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function formatsOf({ versions }: CustomResourceDefinitionSpec): readonly string[] {
  const found = new Set<string>();
  for (const { schema } of versions ?? []) collectFormats(schema?.openAPIV3Schema ?? {}, found);
  return [...found];
}

/** The parts of a schema that are values. */
const values: ReadonlySet<string> = new Set(['default', 'enum', 'example']);

function collectFormats(schema: JsonObject, found: Set<string>): void {
  const format = stringAt(schema, 'format');
  if (format !== '' && !isKnownFormat(stringAt(schema, 'type'), format)) found.add(format);
  for (const [name, part] of Object.entries(schema)) if (!values.has(name)) collectParts(part, found);
}

function collectParts(part: JsonValue, found: Set<string>): void {
  if (Array.isArray(part)) for (const item of part) collectParts(item, found);
  else if (isJsonObject(part)) {
    if (typeof part['format'] === 'string' || typeof part['type'] === 'string') collectFormats(part, found);
    else for (const inner of Object.values(part)) collectParts(inner, found);
  }
}
