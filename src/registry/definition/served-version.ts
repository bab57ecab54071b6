import type { Identifiers } from '../../identifiers/identifiers.ts';
import { formatApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { decodeObject } from '../../scheme/decode-object.ts';
import type { ResourceDefinition, StorageDefinition, VersionDefinition } from './resource-definition.ts';
import type { ServedVersion } from './stored-resource.ts';
import type { Convert } from './strategy.ts';

/** A definition of a resource that is stored. */
export type StoredDefinition = ResourceDefinition & { readonly storage: StorageDefinition };

/** Narrows a definition to a definition of a stored resource. */
export function isStored(definition: ResourceDefinition): definition is StoredDefinition {
  return definition.storage !== undefined;
}

/**
 * A version of a stored resource with its conversions to the version of the strategy and back
 * (`StorageDefinition`).
 */
export function servedVersion(
  identifiers: Identifiers,
  { group, kind, storage }: StoredDefinition,
  { version, schema, conversion, subresources }: VersionDefinition,
): ServedVersion {
  const apiVersion = formatApiVersion(group, version);
  const storedAs = formatApiVersion(storage.group, storage.version);
  const stored = apiVersion === storedAs && kind === storage.kind;
  return {
    apiVersion,
    version,
    kind,
    stored,
    hasStatus: subresources.some(({ name }) => name === 'status'),
    get schema() {
      return schema();
    },
    ...(conversion?.validate ? { validate: conversion.validate } : {}),
    toStorage: stored ? asIs : converted(conversion?.toStorage, identifiers, storage.kind, storedAs),
    fromStorage: stored ? asIs : complete(schema, converted(conversion?.fromStorage, identifiers, kind, apiVersion)),
  };
}

/** The version in which the cache holds objects; it need not be served. */
export function storageVersionOf({ group, version, kind, schema }: StorageDefinition): ServedVersion {
  return plainVersion(group, kind, { version, schema });
}

/** A version without conversion: its objects are stored, or computed, in this form. */
export function plainVersion(
  group: string,
  kind: string,
  { version, schema }: Pick<VersionDefinition, 'version' | 'schema'>,
): ServedVersion {
  return {
    apiVersion: formatApiVersion(group, version),
    version,
    kind,
    stored: true,
    hasStatus: false,
    get schema() {
      return schema();
    },
    toStorage: asIs,
    fromStorage: asIs,
  };
}

function asIs(object: JsonObject): JsonObject {
  return object;
}

/**
 * Decodes the result of a conversion, which restores the field order and the fields that are
 * written even if empty.
 */
function complete(
  schema: VersionDefinition['schema'],
  convert: (object: JsonObject) => JsonObject,
): (object: JsonObject) => JsonObject {
  return (object) => decodeObject(schema(), convert(object)).value;
}

/** Versions of the same shape differ only in `kind` and `apiVersion`. */
function converted(
  convert: Convert | undefined,
  identifiers: Identifiers,
  kind: string,
  apiVersion: string,
): (object: JsonObject) => JsonObject {
  return (object) => {
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = convert ? convert(object, identifiers) : object;
    return { kind, apiVersion, ...rest };
  };
}
