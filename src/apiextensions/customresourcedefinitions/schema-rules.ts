import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { CustomResourceDefinitionSpec } from '../../gen/stored/apiextensions-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { isSet, stringAt, stringsAt } from '../../meta/read-field.ts';
import { extensionOf, hasExtension } from '../../scheme/model/structural-schema.ts';
import { findUnsupported } from './custom-schema.ts';
import { isLeaf, propertiesOf, schemaIn, schemasIn } from './schema-parts.ts';
import type { SpecParts, VersionParts } from './spec-parts.ts';
import { checkStructure } from './check-structure.ts';

/** The rules for schemas that differ between versions, and for stored definitions (spec 9.3). */
export interface SchemaRules {
  /** Schemas must be structural. */
  readonly structural: boolean;
  /** True if the errors of defaults have the form of release 1.24 and later. */
  readonly isDetailed?: true;
  /** Set if any text is accepted as a type. */
  readonly anyType?: true;
  /** The reason why a default is forbidden. */
  readonly noDefault?: string;
}

/** The rules of v1beta1: definitions that prune, or use extensions, need structural schemas. */
export function rulesOfV1beta1(parts: SpecParts, prunes: boolean, { apiDomain }: Identifiers): SchemaRules {
  const group = `apiextensions.${apiDomain}`;
  const noDefault = `(cannot set default values in ${group}/v1beta1 CRDs, must use ${group}/v1)`;
  return { structural: prunes || rootsOf(parts).some(hasExtensions), anyType: true, noDefault };
}

/**
 * The rules of v1. A definition that keeps unknown fields was made through v1beta1: where its
 * schemas break a rule of v1, an update may do so too.
 */
export function rulesOfV1(
  { preserveUnknownFields }: CustomResourceDefinitionSpec,
  parts: SpecParts,
  oldSpec: CustomResourceDefinitionSpec | undefined,
): SchemaRules {
  const old = preserveUnknownFields ? schemasOf(oldSpec?.versions ?? []) : [];
  if (old.length === 0) return { structural: true };
  const roots = rootsOf(parts);
  return {
    structural: roots.some((root) => hasExtensions(root) || hasDefaults(root)) || old.every(isStructural),
    ...(old.some(hasUnknownType) ? { anyType: true } : {}),
  };
}

/** Reports whether a schema of a definition has a default. */
export function usesDefaults(parts: SpecParts): boolean {
  return rootsOf(parts).some(hasDefaults);
}

function rootsOf({ top, versions }: SpecParts): readonly JsonObject[] {
  return schemasOf([top, ...versions]);
}

function schemasOf(parts: readonly VersionParts[]): readonly JsonObject[] {
  return parts.flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);
}

function isStructural(root: JsonObject): boolean {
  return findUnsupported(root) === undefined && checkStructure('', root).length === 0;
}

const types: ReadonlySet<string> = new Set(['', 'array', 'boolean', 'integer', 'number', 'object', 'string']);

function hasUnknownType(schema: JsonObject): boolean {
  return !types.has(stringAt(schema, 'type')) || partsOf(schema).some(hasUnknownType);
}

function hasDefaults(schema: JsonObject): boolean {
  return isSet(schema, 'default') || partsOf(schema).some(hasDefaults);
}

/** Extensions have a meaning in structural schemas only, so that they require such schemas. */
function hasExtensions(schema: JsonObject): boolean {
  const keys = extensionOf(schema, 'list-map-keys');
  return (
    hasExtension(schema, 'embedded-resource') ||
    hasExtension(schema, 'int-or-string') ||
    extensionOf(schema, 'preserve-unknown-fields') !== undefined ||
    extensionOf(schema, 'list-type') !== undefined ||
    (keys !== undefined && stringsAt(schema, keys).length > 0) ||
    partsOf(schema).some(hasExtensions)
  );
}

function partsOf(schema: JsonObject): readonly JsonObject[] {
  if (isLeaf(schema)) return [];
  const located = [
    ...propertiesOf('', schema),
    ...['items', 'additionalProperties', 'not'].flatMap((name) => schemaIn('', schema, name)),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => schemasIn('', schema, name)),
  ];
  return located.map(([, part]) => part);
}
