import { parseApiVersion } from '../../meta/group-version-kind.ts';
import { getOwn, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { validateDns1035Label } from '../../meta/validate-name.ts';
import { validateEmbeddedMetadata } from '../../registry/definition/validate-metadata.ts';
import { DecodeError } from '../../scheme/model/decode-error.ts';
import { decodePart } from '../../scheme/decode-object.ts';
import { schemaOf } from '../../scheme/schema-of.ts';
import { embeddedParts } from '../../scheme/structural/embedded-parts.ts';
import type { StructuralSchema } from '../../scheme/model/structural-schema.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

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
    if (error instanceof DecodeError) return [invalid('metadata', metadata, error.message)];
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
