import type { CustomResourceDefinitionSpec } from '../../gen/stored/apiextensions-v1.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { stringAt } from '../../meta/read-field.ts';
import { isSince } from '../../scheme/api-release.ts';
import { isCheckedFormat } from '../../meta/value-format.ts';

/** The first release that warns of unknown formats. */
const firstRelease = '1.34';

/** The first release that warns of formats of types other than strings. */
const formatsOfAllTypes = '1.36';

/**
 * Warns of formats in a definition that are not checked. Formats of the old definition are left
 * out.
 */
export function formatWarnings(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
  release: string,
): readonly string[] {
  if (!isSince(release, firstRelease)) return [];
  const before = new Set(old ? formatsOf(old, release) : []);
  return formatsOf(spec, release)
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function formatsOf({ versions }: CustomResourceDefinitionSpec, release: string): readonly string[] {
  const found = new Set<string>();
  const isWarnedOf = (type: string): boolean => isSince(release, formatsOfAllTypes) || type === 'string';
  for (const { schema } of versions ?? []) collectFormats(schema?.openAPIV3Schema ?? {}, isWarnedOf, found);
  return [...found];
}

/** The keywords of a schema whose values are not schemas. */
const values: ReadonlySet<string> = new Set(['default', 'enum', 'example']);

type IsWarnedOf = (type: string) => boolean;

function collectFormats(schema: JsonObject, isWarnedOf: IsWarnedOf, found: Set<string>): void {
  const [format, type] = [stringAt(schema, 'format'), stringAt(schema, 'type')];
  if (format !== '' && isWarnedOf(type) && !isCheckedFormat(type, format)) found.add(format);
  for (const [name, part] of Object.entries(schema)) if (!values.has(name)) collectParts(part, isWarnedOf, found);
}

function collectParts(part: JsonValue, isWarnedOf: IsWarnedOf, found: Set<string>): void {
  if (Array.isArray(part)) for (const item of part) collectParts(item, isWarnedOf, found);
  else if (isJsonObject(part)) {
    if (typeof part['format'] === 'string' || typeof part['type'] === 'string') collectFormats(part, isWarnedOf, found);
    else for (const inner of Object.values(part)) collectParts(inner, isWarnedOf, found);
  }
}
