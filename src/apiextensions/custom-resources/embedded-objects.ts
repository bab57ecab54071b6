import { parseApiVersion } from '../../meta/group-version-kind.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { validateDns1035Label } from '../../meta/validate-name.ts';
import { validateEmbeddedMetadata } from '../../registry/definition/validate-metadata.ts';
import { FieldDecodeError } from '../../scheme/model/field-decode-error.ts';
import { decodePart } from '../../scheme/decode-object.ts';
import { schemaOf } from '../../scheme/schema-of.ts';
import type { StructuralSchema } from '../../scheme/model/structural-schema.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { formatPath, keyStep, type PathStep } from '../../scheme/model/format-path.ts';
import { memoize } from '../../meta/memoize.ts';

/**
 * The errors of the types and the metadata of whole objects inside a value. The schema reports a
 * missing type.
 */
export function embeddedObjectErrors(schema: StructuralSchema, value: JsonValue): readonly FieldError[] {
  return embeddedParts(schema, value).flatMap(({ path, object }) => {
    const errors = [
      ...textErrors(object, 'apiVersion', versionProblem),
      ...textErrors(object, 'kind', kindProblem),
      ...metadataErrors(object),
    ];
    return errors.map((error) => ({ ...error, field: path === '' ? error.field : `${path}.${error.field}` }));
  });
}

/**
 * The errors of metadata. Metadata in a default can have any type; metadata in objects have been
 * decoded.
 */
function metadataErrors(object: JsonObject): readonly FieldError[] {
  const metadata = getOwn(object, 'metadata') ?? null;
  if (metadata === null) return [];
  const schema = schemaOf('api.core.v1.ConfigMap').fields.get('metadata')?.schema;
  try {
    if (schema) decodePart(schema, metadata);
  } catch (error) {
    if (error instanceof FieldDecodeError) return [invalid('metadata', metadata, error.message)];
    throw error;
  }
  return validateEmbeddedMetadata(object);
}

function textErrors(
  object: JsonObject,
  name: string,
  problemOf: (text: string) => string | undefined,
): readonly FieldError[] {
  const value = getOwn(object, name) ?? '';
  if (typeof value !== 'string') return [invalid(name, value, 'must be a string')];
  const problem = value === '' ? undefined : problemOf(value);
  return problem === undefined ? [] : [invalid(name, value, problem)];
}

function versionProblem(text: string): string | undefined {
  return parseApiVersion(text) ? undefined : `unexpected GroupVersion string: ${text}`;
}

function kindProblem(text: string): string | undefined {
  const messages = validateDns1035Label(text.toLowerCase());
  return messages.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${messages.join(',')}`;
}

/** An embedded object (`x-kubernetes-embedded-resource`). */
interface EmbeddedPart {
  readonly path: string;
  readonly object: JsonObject;
}

/** The embedded objects in a value according to its schema; the value itself may be one. */
function embeddedParts(schema: StructuralSchema, value: JsonValue): readonly EmbeddedPart[] {
  const found: EmbeddedPart[] = [];
  if (hasEmbedded(schema)) collect(schema, value, { steps: [], found });
  return found;
}

const hasEmbedded = memoize(
  ({ embedded, properties, items, additional }: StructuralSchema): boolean =>
    embedded ||
    [...properties.values()].some(hasEmbedded) ||
    (items !== undefined && hasEmbedded(items)) ||
    (typeof additional === 'object' && hasEmbedded(additional)),
);

interface Search {
  readonly steps: PathStep[];
  readonly found: EmbeddedPart[];
}

function collect(schema: StructuralSchema, value: JsonValue, search: Search): void {
  if (!hasEmbedded(schema)) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items) for (const [index, item] of value.entries()) collectBelow(items, item, { search, step: index });
  } else if (isJsonObject(value)) {
    if (schema.embedded) search.found.push({ path: formatPath('', search.steps), object: value });
    for (const [name, part] of Object.entries(value)) {
      const declared = schema.properties.get(name);
      const other = schema.additional === true ? undefined : schema.additional;
      if (declared) collectBelow(declared, part, { search, step: name });
      else if (other) collectBelow(other, part, { search, step: keyStep(name) });
    }
  }
}

function collectBelow(
  schema: StructuralSchema,
  value: JsonValue,
  { search, step }: { readonly search: Search; readonly step: PathStep },
): void {
  search.steps.push(step);
  collect(schema, value, search);
  search.steps.pop();
}
