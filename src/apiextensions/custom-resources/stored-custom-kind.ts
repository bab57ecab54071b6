import type { JsonObject } from '../../meta/json-value.ts';
import { StatusError } from '../../status/status-error.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ResourceDefinition } from '../../registry/definition/resource-definition.ts';
import { isStored } from '../../registry/definition/served-version.ts';
import { type CompleteObject, type StoredKind, storedKindOf } from '../../registry/versions/stored-kinds.ts';
import { applyDefaults } from '../../scheme/apply-defaults.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { hasDefaults } from '../../scheme/structural/default-structural.ts';

/**
 * How the objects of a custom resource are read from the store: in the version in which they were
 * written, with the defaults that came to it since. If the definition has changed since it was made
 * (`wasChanged`), fields that the version no longer declares are removed.
 */
export function storedCustomKind(
  identifiers: Identifiers,
  known: ResourceDefinition,
  wasChanged: boolean,
): StoredKind | undefined {
  if (!isStored(known)) return undefined;
  return storedKindOf(identifiers, known, ({ schema }) => completionOf(schema, wasChanged));
}

function completionOf(schema: ObjectSchema, wasChanged: boolean): CompleteObject | undefined {
  const { structural } = schema;
  if (!structural) return undefined;
  const fills = hasDefaults(structural);
  const prunes = wasChanged && !structural.keepsAll;
  if (!fills && !prunes) return undefined;
  return (object) => {
    const { value, unknownFields } = prunes ? decodeObject(schema, object) : { value: object, unknownFields: [] };
    const isWhole = !fills || isFilled(schema, value);
    // Some defaults may have been filled in.
    if (!isWhole) return prunes ? decodeObject(schema, object).value : undefined;
    return fills || unknownFields.length > 0 ? value : undefined;
  };
}

/** Fills in defaults; false if they would be too many, and the object is read without them. */
function isFilled(schema: ObjectSchema, value: JsonObject): boolean {
  try {
    applyDefaults(schema, value);
    return true;
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'RequestEntityTooLarge') return false;
    throw error;
  }
}
