import { getOwn, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import type { VersionParts } from './spec-parts.ts';
import { duplicate, type FieldError, invalid, required, tooMany } from '../../status/field-error.ts';

/** Each field is indexed by every watch cache. */
const mostFields = 8;

const selectableTypes: ReadonlySet<string> = new Set(['string', 'boolean', 'integer']);
const wrongType =
  'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';

/**
 * Checks `selectableFields` of a version: each points to a scalar that the schema declares outside
 * of lists and of metadata.
 */
export function selectableFieldErrors(
  { schema, selectableFields = [] }: VersionParts,
  path: string,
): readonly FieldError[] {
  const root = schema?.openAPIV3Schema ?? {};
  const seen = new Set<string>();
  const errors = selectableFields.flatMap(({ jsonPath }, index): readonly FieldError[] => {
    const at = `${path}[${index}]`;
    if (jsonPath === '') return [required(`${at}.jsonPath`)];
    const found = schemaAt(root, jsonPath);
    if ('problem' in found) return [invalid(`${at}.jsonPath`, jsonPath, `is an invalid path: ${found.problem}`)];
    const isKnown = seen.has(jsonPath);
    seen.add(jsonPath);
    return [
      ...(/^\.metadata(\.|$)/.test(jsonPath) ? [invalid(at, jsonPath, 'must not point to fields in metadata')] : []),
      ...(selectableTypes.has(stringAt(found.schema, 'type')) ? [] : [invalid(at, jsonPath, wrongType)]),
      ...(isKnown ? [duplicate(at, jsonPath)] : []),
    ];
  });
  return seen.size > mostFields ? [...errors, tooMany(path, seen.size, mostFields)] : errors;
}

type FoundSchema = { readonly schema: JsonObject } | { readonly problem: string };

/** Finds the schema of a field by a path of names. */
function schemaAt(root: JsonObject, jsonPath: string): FoundSchema {
  if (jsonPath.includes('[')) return { problem: 'array notation is not allowed' };
  if (!jsonPath.startsWith('.')) return { problem: `expected [ or . but got: ${jsonPath}` };
  let schema = root;
  for (const name of jsonPath.slice(1).split('.')) {
    if (name === 'metadata' && schema === root) return { schema: {} };
    const below = getOwn(objectAt(schema, 'properties'), name);
    if (below === undefined || !isJsonObject(below)) return { problem: 'does not refer to a valid field' };
    schema = below;
  }
  return { schema };
}
