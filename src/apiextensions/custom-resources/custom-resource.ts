import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
} from '../../gen/stored/apiextensions-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { memoize } from '../../meta/memoize.ts';
import { compareVersions, formatApiVersion } from '../../meta/group-version-kind.ts';
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
import { minorOf } from '../../scheme/api-release.ts';
import { type EmulatedRelease, fieldsRelease, hasAdditionsOf, newestEmulated } from '../../scheme/emulated-release.ts';
import { schemaOf } from '../../scheme/schema-of.ts';
import { customKindSchema, declaredKindSchema } from '../../scheme/structural/custom-kind-schema.ts';
import {
  compileStructuralSchema,
  type StructuralSchema,
  type UnchangedChecks,
} from '../../scheme/model/structural-schema.ts';
import { scaleSubresource } from '../../resources/subresources.ts';
import { readWrite } from '../../resources/built-in.ts';
import { type ConversionWebhooks, conversionWebhook } from '../conversion/conversion-webhook.ts';
import { hasRules } from '../expression-rules/rule-tree.ts';
import { ruleValidator } from '../expression-rules/rule-validator.ts';
import { customTable } from './custom-table.ts';
import { customStrategy } from './custom-strategy.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { withoutLaterFormats } from './later-formats.ts';

/** The verbs, in the order in which kube-apiserver has them in discovery. */
const verbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** A custom resource as it is served, and with all of its versions, to read stored objects. */
interface CustomResource {
  /** The definition of the kind; undefined if no version is served. */
  readonly served: ResourceDefinition | undefined;
  readonly known: ResourceDefinition;
}

/** The sources of the schemas and the conversions of a definition. */
interface CustomResourceSources {
  /** Reads the schema of a version from its definition; undefined if it has none. */
  readonly readSchema: (version: string) => JsonObject | undefined;
  /** Convert objects, if the definition wants that. */
  readonly webhooks: ConversionWebhooks;
  /** The emulated release; absent: the newest. */
  readonly emulated?: EmulatedRelease | undefined;
}

/**
 * The resource that a CustomResourceDefinition in v1 defines, with the names that were accepted.
 * Schemas are read and compiled on first use; the definition itself may be without them.
 */
export function customResourceOf(
  crd: CustomResourceDefinition,
  { readSchema, webhooks, emulated = newestEmulated }: CustomResourceSources,
): CustomResource | undefined {
  const { spec } = crd;
  const declared = (spec.versions ?? []).toSorted((a, b) => compareVersions(a.name, b.name));
  const stored = declared.find((version) => version.storage);
  if (!stored) return undefined;
  const { group } = spec;
  const { plural: resource, singular = '', kind, listKind = '', ...names } = crd.status.acceptedNames;
  const partsOf = memoize<CustomResourceDefinitionVersion, VersionParts>((version) => {
    const { schema, published } = schemaFor(spec, version.name, { readSchema, emulated });
    return { schema, published, strategy: customStrategy({ group, resource }, version, schema) };
  });
  const storage: StorageDefinition = {
    group,
    shortGroup: group,
    version: stored.name,
    resource,
    kind,
    schema: partsOf(stored).schema,
  };
  const rowOf = memoize((version: CustomResourceDefinitionVersion) => versionOf(spec, kind, version, partsOf(version)));
  const withVersions = (versions: readonly CustomResourceDefinitionVersion[]): ResourceDefinition => ({
    group,
    shortGroup: group,
    resource,
    singular,
    kind,
    listKind,
    isCustom: true,
    emulated,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    versions: versions.map(rowOf),
    storage,
    strategy: partsOf(stored).strategy,
    warnings: finalizerWarnings,
    ...(conversion ? { conversion } : {}),
  });
  const convert = crd.spec.conversion.strategy === 'Webhook' ? conversionWebhook(webhooks, crd) : relabelObjects;
  const conversion =
    declared.length > 1
      ? {
          convert,
          relabels: convert === relabelObjects,
          versions: declared.map(rowOf),
          stored: { areMixed: false },
        }
      : undefined;
  const served = declared.filter((version) => version.served);
  return { served: served.length > 0 ? withVersions(served) : undefined, known: withVersions(declared) };
}

/** The conversion strategy `None`: only the version changes. */
const relabelObjects: ConvertObjects = async (objects, apiVersion) =>
  objects.map((object) => ({ object: { ...object, apiVersion } }));

/** The parts of a version that are made once for each definition. */
interface VersionParts {
  readonly schema: () => ObjectSchema;
  readonly published: () => ObjectSchema;
  readonly strategy: Strategy;
}

function versionOf(
  spec: CustomResourceDefinitionSpec,
  kind: string,
  declared: CustomResourceDefinitionVersion,
  { schema, published, strategy }: VersionParts,
): VersionDefinition {
  const { name: version, subresources = {}, deprecated, deprecationWarning } = declared;
  return {
    version,
    schema,
    published,
    verbs,
    subresources: subresourcesOf(subresources),
    table: customTable(declared),
    strategy,
    ...(deprecated ? { warning: deprecationWarning || defaultWarning(spec, kind, version) } : {}),
  };
}

/** Names the newest served version that is newer than a deprecated one, and not deprecated too. */
function defaultWarning({ group, versions }: CustomResourceDefinitionSpec, kind: string, version: string): string {
  const shown = (name: string): string => `${formatApiVersion(group, name)} ${kind}`;
  const [newest] = (versions ?? [])
    .filter(({ served, deprecated }) => served && !deprecated)
    .map(({ name }) => name)
    .filter((name) => compareVersions(name, version) < 0)
    .toSorted(compareVersions);
  return `${shown(version)} is deprecated${newest === undefined ? '' : `; use ${shown(newest)}`}`;
}

function subresourcesOf(declared: CustomResourceSubresources): readonly SubresourceDefinition[] {
  return [
    ...(declared.scale ? [scaleOfKinds()] : []),
    ...(declared.status ? [{ name: 'status', verbs: readWrite }] : []),
  ];
}

function scaleOfKinds(): SubresourceDefinition {
  const version = { version: 'v1', schema: () => schemaOf('api.autoscaling.v1.Scale') };
  return {
    name: scaleSubresource.name,
    verbs: scaleSubresource.verbs,
    kind: { group: 'autoscaling', kind: 'Scale', version: 'v1', versions: [version] },
  };
}

/** The schema of a version, made on first use. A kind without one has any fields. */
function schemaFor(
  { group, names, preserveUnknownFields: keepsAll = false }: CustomResourceDefinitionSpec,
  version: string,
  { readSchema, emulated }: Pick<CustomResourceSources, 'readSchema'> & { readonly emulated: EmulatedRelease },
): Pick<VersionParts, 'schema' | 'published'> {
  const name = `${group}.${version}.${names.kind}`;
  const read = (): JsonObject => readSchema(version) ?? {};
  let schema: ObjectSchema | undefined;
  const compile = (): ObjectSchema => {
    const structural = compileStructuralSchema(withoutLaterFormats(read(), minorOf(fieldsRelease(emulated))));
    const model = customKindSchema(
      name,
      {
        ...rootOf(structural, keepsAll),
        ...(hasAdditionsOf(emulated, '1.24') ? { hasDetailedErrors: true } : {}),
        ...unchangedChecks(emulated),
        ...(namesInStatus(emulated) ? { namesInStatus: true } : {}),
      },
      metadataSchema(emulated),
    );
    return hasRules(structural.source)
      ? { ...model, validateRules: ruleValidator(structural, (isStatus) => keepsUnruly(emulated, isStatus)) }
      : model;
  };
  let published: ObjectSchema | undefined;
  const described = { declared: read, preserveUnknown: keepsAll };
  return {
    schema: () => (schema ??= compile()),
    published: () => (published ??= declaredKindSchema(name, described, metadataSchema(emulated))),
  };
}

const keepingGate = 'CRDValidationRatcheting';

/**
 * The options of ratcheting: which unchanged values an update checks again. Since release 1.28 a
 * gate lets objects keep values that the schema no longer allows, and a write of the status checks
 * only the status. The gate covers writes of the status in 1.28 and since 1.33.
 */
function unchangedChecks(emulated: EmulatedRelease): { readonly checksUnchanged?: UnchangedChecks } {
  const isKept = emulated.isFeatureEnabled(keepingGate);
  const isStatusKept = isKept && (isStatusGated(emulated) || !hasAdditionsOf(emulated, '1.29'));
  if (isKept && isStatusKept) return {};
  const ofStatus = hasAdditionsOf(emulated, '1.28') ? (isStatusKept ? 'none' : 'status') : 'object';
  return { checksUnchanged: { ofObjects: !isKept, ofStatus } };
}

/** Reports whether errors of status writes lack `status` in their path: from 1.28 to 1.30. */
function namesInStatus(emulated: EmulatedRelease): boolean {
  return hasAdditionsOf(emulated, '1.28') && !hasAdditionsOf(emulated, '1.31');
}

/** Reports whether an update may keep values that break CEL rules. */
function keepsUnruly(emulated: EmulatedRelease, isStatus: boolean): boolean {
  if (!emulated.isFeatureEnabled(keepingGate)) return false;
  return isStatus ? isStatusGated(emulated) : hasAdditionsOf(emulated, '1.29');
}

function isStatusGated(emulated: EmulatedRelease): boolean {
  return hasAdditionsOf(emulated, '1.33');
}

/** The schema of whole objects. Without a type nothing was declared: every field is kept. */
function rootOf(declared: StructuralSchema, keepsAll: boolean): StructuralSchema {
  if (keepsAll) return { ...declared, preserveUnknown: true, keepsAll: true };
  return declared.type === '' ? { ...declared, preserveUnknown: true } : declared;
}

function metadataSchema(emulated: EmulatedRelease): ObjectSchema {
  const metadata = schemaOf('api.core.v1.ConfigMap', fieldsRelease(emulated)).fields.get('metadata')?.schema;
  if (metadata?.type !== 'object') throw new TypeError('objects have metadata');
  return metadata;
}
