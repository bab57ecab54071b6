import type { JsonObject } from '../../meta/json-value.ts';
import { memoize } from '../../meta/memoize.ts';
import { compareVersions, formatApiVersion } from '../../meta/group-version-kind.ts';
import { isSet, isTrue, objectAt, objectsAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import type {
  ConvertObjects,
  ResourceDefinition,
  StorageDefinition,
  SubresourceDefinition,
  Verb,
  VersionDefinition,
} from '../../registry/definition/resource-definition.ts';
import type { Strategy } from '../../registry/definition/strategy.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { schemaOf } from '../../scheme/schema-of.ts';
import { customKindSchema, declaredKindSchema } from '../../scheme/structural/custom-kind-schema.ts';
import { compileStructuralSchema, type StructuralSchema } from '../../scheme/model/structural-schema.ts';
import { scale } from '../../resources/subresources.ts';
import { readWrite } from '../../resources/verbs.ts';
import { type ConversionWebhooks, conversionWebhook } from '../conversion/conversion-webhook.ts';
import { relabelObjects } from '../conversion/relabel-objects.ts';
import { hasRules } from '../expression-rules/rule-tree.ts';
import { ruleValidator } from '../expression-rules/rule-validator.ts';
import { customTable } from './custom-columns.ts';
import { customStrategy } from './custom-strategy.ts';

/** In the order of discovery, which is that of kube-apiserver. */
const verbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** A custom resource as it is served, and with all of its versions, to read what is stored. */
interface CustomResource {
  /** Undefined if no version is served. */
  readonly served: ResourceDefinition | undefined;
  readonly known: ResourceDefinition;
}

/** The sources of what a definition needs beside its outline. */
interface CustomResourceSources {
  /** Reads the schema of a version from its definition; undefined if it has none. */
  readonly readSchema: (version: string) => JsonObject | undefined;
  /** Convert objects, if the definition wants that. */
  readonly webhooks: ConversionWebhooks;
}

/**
 * The resource that a CustomResourceDefinition in v1 defines, with the names that were accepted.
 * Schemas are read and compiled on first use; the definition itself may be without them.
 */
export function customResourceOf(
  crd: JsonObject,
  { readSchema, webhooks }: CustomResourceSources,
): CustomResource | undefined {
  const spec = objectAt(crd, 'spec');
  const declared = objectsAt(spec, 'versions').toSorted((a, b) =>
    compareVersions(stringAt(a, 'name'), stringAt(b, 'name')),
  );
  const stored = declared.find((version) => isTrue(version, 'storage'));
  const names = objectAt(crd, 'status', 'acceptedNames');
  if (!stored) return undefined;
  const group = stringAt(spec, 'group');
  const resource = stringAt(names, 'plural');
  const partsOf = memoize<JsonObject, VersionParts>((version) => {
    const { schema, published } = schemaFor(spec, stringAt(version, 'name'), readSchema);
    return { schema, published, strategy: customStrategy({ group, resource }, version, schema) };
  });
  const storage: StorageDefinition = {
    group,
    shortGroup: group,
    version: stringAt(stored, 'name'),
    resource,
    kind: stringAt(names, 'kind'),
    schema: partsOf(stored).schema,
  };
  const rowOf = memoize((version: JsonObject) => versionOf(spec, storage.kind, version, partsOf(version)));
  const withVersions = (versions: readonly JsonObject[]): ResourceDefinition => ({
    group,
    shortGroup: group,
    resource,
    singular: stringAt(names, 'singular'),
    kind: storage.kind,
    listKind: stringAt(names, 'listKind'),
    isCustom: true,
    shortNames: stringsAt(names, 'shortNames'),
    categories: stringsAt(names, 'categories'),
    namespaced: stringAt(spec, 'scope') === 'Namespaced',
    versions: versions.map(rowOf),
    storage,
    strategy: partsOf(stored).strategy,
    ...(conversion ? { conversion } : {}),
  });
  const convert = convertObjects(crd, webhooks);
  const conversion =
    declared.length > 1
      ? {
          convert,
          relabels: convert === relabelObjects,
          versions: declared.map(rowOf),
          stored: { areMixed: false },
        }
      : undefined;
  const served = declared.filter((version) => isTrue(version, 'served'));
  return { served: served.length > 0 ? withVersions(served) : undefined, known: withVersions(declared) };
}

function convertObjects(crd: JsonObject, webhooks: ConversionWebhooks): ConvertObjects {
  const { strategy } = objectAt(crd, 'spec', 'conversion');
  return strategy === 'Webhook' ? conversionWebhook(webhooks, crd) : relabelObjects;
}

/** The parts of a version that are made once for each definition. */
interface VersionParts {
  readonly schema: () => ObjectSchema;
  readonly published: () => ObjectSchema;
  readonly strategy: Strategy;
}

function versionOf(
  spec: JsonObject,
  kind: string,
  declared: JsonObject,
  { schema, published, strategy }: VersionParts,
): VersionDefinition {
  const version = stringAt(declared, 'name');
  return {
    version,
    schema,
    published,
    verbs,
    subresources: subresourcesOf(objectAt(declared, 'subresources')),
    table: customTable(declared),
    strategy,
    ...(isTrue(declared, 'deprecated')
      ? { warning: stringAt(declared, 'deprecationWarning') || defaultWarning(spec, kind, version) }
      : {}),
  };
}

/** Names the newest served version that is newer than a deprecated one, and not deprecated too. */
function defaultWarning(spec: JsonObject, kind: string, version: string): string {
  const shown = (name: string): string => `${formatApiVersion(stringAt(spec, 'group'), name)} ${kind}`;
  const [newest] = objectsAt(spec, 'versions')
    .filter((other) => isTrue(other, 'served') && !isTrue(other, 'deprecated'))
    .map((other) => stringAt(other, 'name'))
    .filter((name) => compareVersions(name, version) < 0)
    .toSorted(compareVersions);
  return `${shown(version)} is deprecated${newest === undefined ? '' : `; use ${shown(newest)}`}`;
}

function subresourcesOf(declared: JsonObject): readonly SubresourceDefinition[] {
  return [
    ...(isSet(declared, 'scale') ? [scaleOfKinds()] : []),
    ...(isSet(declared, 'status') ? [{ name: 'status', verbs: readWrite }] : []),
  ];
}

function scaleOfKinds(): SubresourceDefinition {
  const version = { version: 'v1', schema: () => schemaOf('api.autoscaling.v1.Scale') };
  return {
    name: scale.name,
    verbs: scale.verbs,
    kind: { group: 'autoscaling', kind: 'Scale', version: 'v1', versions: [version] },
  };
}

/** The schema of a version, made on first use. A kind without one has any fields. */
function schemaFor(
  spec: JsonObject,
  version: string,
  readSchema: CustomResourceSources['readSchema'],
): Pick<VersionParts, 'schema' | 'published'> {
  const name = `${stringAt(spec, 'group')}.${version}.${stringAt(objectAt(spec, 'names'), 'kind')}`;
  const read = (): JsonObject => readSchema(version) ?? {};
  let schema: ObjectSchema | undefined;
  const compile = (): ObjectSchema => {
    const structural = compileStructuralSchema(read());
    const model = customKindSchema(name, rootOf(structural, spec), metadataSchema());
    return hasRules(structural.source) ? { ...model, validateRules: ruleValidator(structural) } : model;
  };
  let published: ObjectSchema | undefined;
  const described = { declared: read, preserveUnknown: isTrue(spec, 'preserveUnknownFields') };
  return {
    schema: () => (schema ??= compile()),
    published: () => (published ??= declaredKindSchema(name, described, metadataSchema())),
  };
}

/** The schema of whole objects. Without a type nothing was declared: every field is kept. */
function rootOf(declared: StructuralSchema, spec: JsonObject): StructuralSchema {
  if (isTrue(spec, 'preserveUnknownFields')) return { ...declared, preserveUnknown: true, keepsAll: true };
  return declared.type === '' ? { ...declared, preserveUnknown: true } : declared;
}

function metadataSchema(): ObjectSchema {
  const metadata = schemaOf('api.core.v1.ConfigMap').fields.get('metadata')?.schema;
  if (metadata?.type !== 'object') throw new TypeError('objects have metadata');
  return metadata;
}
