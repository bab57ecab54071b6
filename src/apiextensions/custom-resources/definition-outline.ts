import { createHash } from 'node:crypto';
import { decodeJson } from '../../codec/decode-json.ts';
import type { CustomResourceDefinition } from '../../gen/stored/apiextensions-v1.ts';
import { omitMembers } from '../../json/omit-members.ts';
import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';
import { completeObject } from '../../scheme/complete-object.ts';
import { schemaOf } from '../../scheme/schema-of.ts';

/**
 * A CustomResourceDefinition as far as it must be known before its resource is used. The schemas
 * are nearly all of a definition; with thousands of definitions they are not kept but as the bytes
 * in the cache.
 */
export interface DefinitionOutline {
  /** The definition without schemas, field owners and annotations of clients. */
  readonly crd: CustomResourceDefinition;
  /** Identifies the schemas of all versions. Computed on first use: few definitions change. */
  readonly schemas: () => string;
}

const schemaField = 'openAPIV3Schema';

/**
 * Reads the outline of a stored definition in v1. `json` is called again for the schemas, so that
 * the outline does not keep the bytes. Throws a JsonDecodeError, or a DecodeError if a
 * damaged definition does not have the types of its kind.
 */
export function parseOutline(json: () => Buffer): DefinitionOutline {
  const { rest } = withoutSchemas(json());
  const { value } = decodeJson(rest, { duplicates: false });
  const schema = schemaOf('api.apiextensions.v1.CustomResourceDefinition');
  // The schema guarantees the type.
  const crd = completeObject(schema, isJsonObject(value) ? value : {}) as unknown as CustomResourceDefinition;
  const { annotations = {} } = crd.metadata;
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

/** End of the name of the annotation with a copy of the whole definition. */
const lastApplied = '/last-applied-configuration';

/** Reports whether two states of a definition define the same. */
export function definesSame(one: DefinitionOutline, other: DefinitionOutline): boolean {
  return (
    sameValue(one.crd.spec, other.crd.spec) &&
    sameValue(one.crd.status.acceptedNames, other.crd.status.acceptedNames) &&
    one.schemas() === other.schemas()
  );
}

/** The schema of a version of a whole definition; undefined if it has none. */
export function schemaIn({ spec }: CustomResourceDefinition, version: string): JsonObject | undefined {
  return spec.versions?.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
}
