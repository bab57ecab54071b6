import { createHash } from 'node:crypto';
import { decodeJson } from '../../codec/decode-json.ts';
import { omitMembers } from '../../json/omit-members.ts';
import { getOwn, isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, sameValue, stringAt } from '../../meta/read-field.ts';

/**
 * A CustomResourceDefinition as far as it must be known before its resource is used. The schemas
 * are nearly all of a definition; with thousands of definitions they are not kept but as the bytes
 * in the cache.
 */
export interface DefinitionOutline {
  /** The definition without schemas, field owners and annotations of clients. */
  readonly crd: JsonObject;
  /** Identifies the schemas of all versions. Computed on first use: few definitions change. */
  readonly schemas: () => string;
}

const schemaField = 'openAPIV3Schema';

/**
 * Reads the outline of a stored definition in v1. `json` is called again for the schemas, so that
 * the outline does not keep the bytes. Throws a JsonDecodeError.
 */
export function outlineOf(json: () => Buffer): DefinitionOutline {
  const { rest } = withoutSchemas(json());
  const { value } = decodeJson(rest, { duplicates: false });
  const crd = isJsonObject(value) ? value : {};
  const annotations = objectAt(crd, 'metadata', 'annotations');
  for (const name of Object.keys(annotations)) if (name.endsWith(lastApplied)) delete annotations[name];
  let schemas: string | undefined;
  return { crd, schemas: () => (schemas ??= digestOfSchemas(json())) };
}

function withoutSchemas(json: Buffer): ReturnType<typeof omitMembers> {
  return omitMembers(json, [schemaField, 'managedFields']);
}

function digestOfSchemas(json: Buffer): string {
  const hash = createHash('sha256');
  for (const { name, value } of withoutSchemas(json).omitted) {
    if (name === schemaField) hash.update(`${value.length}:`).update(value);
  }
  return hash.digest('base64');
}

/** It has a copy of the whole definition. */
const lastApplied = '/last-applied-configuration';

/** Reports whether two states of a definition define the same. */
export function definesSame(one: DefinitionOutline, other: DefinitionOutline): boolean {
  const namesOf = ({ crd }: DefinitionOutline) => objectAt(crd, 'status')['acceptedNames'];
  return (
    sameValue(one.crd['spec'], other.crd['spec']) &&
    sameValue(namesOf(one), namesOf(other)) &&
    one.schemas() === other.schemas()
  );
}

/** The schema of a version of a whole definition; undefined if it has none. */
export function schemaIn(crd: JsonObject, version: string): JsonObject | undefined {
  const declared = objectsAt(objectAt(crd, 'spec'), 'versions').find((one) => stringAt(one, 'name') === version);
  const schema = declared && getOwn(objectAt(declared, 'schema'), schemaField);
  return isJsonObject(schema) ? schema : undefined;
}
