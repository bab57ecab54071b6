import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import { objectAt, stringAt } from '../meta/read-field.ts';
import { openApiScalars, scalarMessage } from './open-api-scalar.ts';
import type { OpenApiSchema, OpenApiStyle } from './open-api-schema.ts';
import { publishStructural } from './structural/publish-structural.ts';
import { hasExtension } from './model/structural-schema.ts';
import type { Field, ListSchema, ObjectSchema, PatchStrategy, ScalarSchema, Schema } from './model/schema.ts';
import { isSince, newestRelease } from './api-release.ts';
import { descriptionsOf } from './descriptions-of.ts';

type PackageName = (identifiers: Identifiers, version: string) => string;

/** The packages of proto/ whose definitions are not below `api`, by the group in the package. */
const places: ReadonlyMap<string, PackageName> = new Map<string, PackageName>([
  ['meta', (_, version) => `apimachinery.pkg.apis.meta.${version}`],
  ['quantity', () => 'apimachinery.pkg.api.resource'],
  ['intstr', () => 'apimachinery.pkg.util.intstr'],
  ['runtime', () => 'apimachinery.pkg.runtime'],
  ['version', () => 'apimachinery.pkg.version'],
  ['apiextensions', (_, version) => `apiextensions-apiserver.pkg.apis.apiextensions.${version}`],
  ['apiregistration', ({ prefix }, version) => `${prefix}aggregator.pkg.apis.apiregistration.${version}`],
  ['internal_apiserver', (_, version) => `api.apiserverinternal.${version}`],
  ['rbac_authorization', (_, version) => `api.rbac.${version}`],
]);

/**
 * Returns the name of a message's definition in published OpenAPI. Clients and generators know the
 * definitions of built-in kinds by these names. A custom kind's message `<group>.<version>.<kind>`
 * is named by its reversed group.
 */
function definitionName(message: string, identifiers: Identifiers): string {
  const steps = message.split('.');
  const [name = '', version = '', ...group] = steps.toReversed();
  if (group.at(-1) !== 'api' || group.length !== 2) return [...group, version, name].join('.');
  const [short = ''] = group;
  const place = places.get(short)?.(identifiers, version) ?? `api.${short}.${version}`;
  return `${identifiers.apiDomain.split('.').toReversed().join('.')}.${place}.${name}`;
}

/** A schema with a definition of its own: a message, also if it is a scalar in JSON. */
export type DefinedSchema = ObjectSchema | ScalarSchema;

/** The definition of a message, and the messages that it refers to. */
interface OpenApiDefinition {
  readonly schema: OpenApiSchema;
  readonly parts: readonly DefinedSchema[];
}

/** Returns the prefix of schema extensions, with a type for the keys. */
export function extensionPrefix({ schemaExtensionPrefix: prefix }: Identifiers): `x-${string}` {
  return `x-${prefix.slice(2)}`;
}

/**
 * Returns the name under which a schema is defined; undefined if it is written where it is used.
 */
export function definedName(schema: Schema, identifiers: Identifiers): string | undefined {
  if (schema.type === 'list' || schema.type === 'map') return undefined;
  const message = schema.type === 'object' ? schema.name : scalarMessage(schema);
  return message ? definitionName(message, identifiers) : undefined;
}

/** Returns a reference to a definition by its name. */
export function openApiReference(name: string, { version }: OpenApiStyle): OpenApiSchema {
  return { $ref: `#/${version === 2 ? 'definitions' : 'components/schemas'}/${name}` };
}

/** Returns the definition of a message. Version 2 has no defaults, as in kube-apiserver. */
export function openApiDefinition(schema: DefinedSchema, style: OpenApiStyle): OpenApiDefinition {
  const parts: DefinedSchema[] = [];
  const publisher = { style, parts, prefix: extensionPrefix(style.identifiers) };
  return {
    schema: schema.type === 'object' ? publishedMessage(schema, publisher) : publishedScalar(schema, publisher),
    parts,
  };
}

/** A definition in the making. */
interface Publisher {
  readonly style: OpenApiStyle;
  readonly parts: DefinedSchema[];
  readonly prefix: `x-${string}`;
}

function publishedScalar(schema: ScalarSchema, { style }: Publisher): OpenApiSchema {
  const message = scalarMessage(schema);
  const description = message === undefined ? '' : descriptionsOf(message).message;
  const isRaw = message === 'api.runtime.v1.RawExtension';
  const type: OpenApiSchema = isRaw ? { type: 'object' } : openApiScalars[style.version][schema.type];
  const values = schema.publishedEnum ?? schema.enum;
  return { ...(description ? { description } : {}), ...type, ...(values ? { enum: values.toSorted() } : {}) };
}

const metadataText = 'Name, namespace, labels, owners and history of the object.';

/** The published fields that name the kind of an object. */
export const typeFields = {
  apiVersion: {
    description: 'API group and version of the object, such as apps/v1; v1 alone for the core group.',
    type: 'string',
  },
  kind: { description: 'Kind of the object, such as Deployment. It cannot be changed.', type: 'string' },
} satisfies Readonly<Record<string, OpenApiSchema>>;

/**
 * A custom kind is published as it was declared, with the metadata that every object has. Readers
 * of version 2 refuse fields beside declared ones, so that a kind whose objects may have any field
 * has none there.
 */
function publishedCustomKind(
  source: JsonObject,
  { fields, preserveUnknown }: ObjectSchema,
  publisher: Publisher,
): OpenApiSchema {
  const isOpen = preserveUnknown || hasExtension(source, 'preserve-unknown-fields');
  const isDeclared = stringAt(source, 'type') !== '';
  if (!isDeclared || (publisher.style.version === 2 && isOpen)) return { type: 'object' };
  const declared = fields.get('metadata');
  const metadata: Readonly<Record<string, OpenApiSchema>> = declared
    ? { metadata: publishedField(declared, metadataText, publisher) }
    : {};
  // Published schemas are JSON.
  const ownFields = { ...typeFields, ...metadata } as unknown as JsonObject;
  const described = publishStructural(source, publisher.style.version, ownFields);
  return { ...described, properties: { ...objectAt(described, 'properties'), ...metadata } } as OpenApiSchema;
}

function publishedMessage(schema: ObjectSchema, publisher: Publisher): OpenApiSchema {
  const source = schema.declared?.() ?? schema.structural?.source;
  if (source) return publishedCustomKind(source, schema, publisher);
  const { atomic, union } = schema;
  const texts = descriptionsOf(schema.name);
  const description = descriptionOf(schema);
  const fields = [...schema.fields.values()]
    .filter(isPublishedBy(publisher))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const required = fields.filter(isRequired).map(({ name }) => name);
  return {
    ...(description ? { description } : {}),
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    ...(fields.length > 0
      ? {
          properties: Object.fromEntries(
            fields.map((field) => [field.name, publishedField(field, texts.fields.get(field.name), publisher)]),
          ),
        }
      : {}),
    ...(atomic ? { [`${publisher.prefix}map-type`]: 'atomic' } : {}),
    ...(union ? { [`${publisher.prefix}unions`]: [publishedUnion(union)] } : {}),
    ...(schema.preserveUnknown ? { [`${publisher.prefix}preserve-unknown-fields`]: true } : {}),
  };
}

/** Schema extensions have one name for each identifier set; only the server's own is published. */
function isPublishedBy({ prefix }: Publisher): (field: Field) => boolean {
  return ({ name }) => !name.startsWith('x-') || name.startsWith(prefix);
}

/**
 * The union of a message for OpenAPI. Discriminator values are member names with a capital letter.
 */
function publishedUnion({ discriminator, members }: NonNullable<ObjectSchema['union']>): JsonObject {
  const values = members.map((name) => [name, name.charAt(0).toUpperCase() + name.slice(1)]);
  return { ...(discriminator ? { discriminator } : {}), 'fields-to-discriminateBy': Object.fromEntries(values) };
}

/**
 * Clients refuse an object without a required field themselves. A field that the server requires,
 * but that encoders leave out when it is empty, is not required here, as in kube-apiserver.
 */
function isRequired({ publishedRequired, alwaysPresent, schema }: Field): boolean {
  if (publishedRequired !== undefined) return publishedRequired;
  if (schema.type === 'list' || schema.type === 'map') return alwaysPresent;
  return alwaysPresent && schema.type !== 'object' && emptyScalars.has(schema.type);
}

/** The published schema of a field; `text` is the description of a built-in field. */
function publishedField(field: Field, text: string | undefined, publisher: Publisher): OpenApiSchema {
  const { schema } = field;
  const { version } = publisher.style;
  // Clients of version 3 show the description of a definition beside the description of the
  // reference to it.
  const ofMessage = version === 2 && schema.type === 'object' ? descriptionOf(schema) : '';
  const description = field.description || text || ofMessage;
  const fallback = version === 3 ? defaultOf(field) : undefined;
  return beside(
    published(schema, publisher),
    {
      ...(description ? { description } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
      ...patchExtensions(field.patch, publisher.prefix),
    },
    publisher,
  );
}

function descriptionOf({ name, description }: ObjectSchema): string {
  return description ?? descriptionsOf(name).message;
}

/** Adds members to a schema. In version 3 nothing may stand beside a reference. */
function beside(schema: OpenApiSchema, members: OpenApiSchema, { style }: Publisher): OpenApiSchema {
  const isWrapped = style.version === 3 && schema.$ref !== undefined && Object.keys(members).length > 0;
  return isWrapped ? { allOf: [schema], ...members } : { ...members, ...schema };
}

/** The declared default, or the empty value of a field that every object has. */
function defaultOf(field: Field): JsonValue | undefined {
  if (field.default !== undefined && !field.defaultWhen) return field.default;
  if (!field.alwaysPresent || field.explicit) return undefined;
  // As in kube-apiserver, even where '' is not among the allowed values.
  return field.schema.type === 'string' ? '' : emptyValueOf(field.schema);
}

function emptyValueOf(schema: Schema): JsonValue | undefined {
  if (schema.type === 'object') return {};
  if (schema.type === 'list' || schema.type === 'map' || schema.enum) return undefined;
  return emptyScalars.get(schema.type);
}

const emptyScalars: ReadonlyMap<ScalarSchema['type'], JsonValue> = new Map<ScalarSchema['type'], JsonValue>([
  ['string', ''],
  ['bool', false],
  ['int32', 0],
  ['int64', 0],
  ['uint32', 0],
  ['uint64', 0],
  ['double', 0],
]);

function published(schema: Schema, publisher: Publisher): OpenApiSchema {
  if (schema.type === 'list') {
    return { type: 'array', items: publishedItem(schema.items, publisher), ...listExtensions(schema, publisher) };
  }
  if (schema.type === 'map') {
    return {
      type: 'object',
      additionalProperties: publishedItem(schema.values, publisher),
      ...(schema.atomic ? { [`${publisher.prefix}map-type`]: 'atomic' } : {}),
    };
  }
  const name = definedName(schema, publisher.style.identifiers);
  if (name === undefined) {
    return schema.type === 'object' ? publishedMessage(schema, publisher) : publishedScalar(schema, publisher);
  }
  publisher.parts.push(schema);
  return openApiReference(name, publisher.style);
}

/** The first release in which list items and map values have no default. */
const itemsWithoutDefault = '1.29';

function publishedItem(schema: Schema, publisher: Publisher): OpenApiSchema {
  const { version, release = newestRelease } = publisher.style;
  const fallback = version === 3 && !isSince(release, itemsWithoutDefault) ? emptyValueOf(schema) : undefined;
  return beside(published(schema, publisher), fallback === undefined ? {} : { default: fallback }, publisher);
}

function listExtensions({ listType, mapKeys, implied }: ListSchema, { prefix }: Publisher): OpenApiSchema {
  if (implied) return {};
  return {
    ...(mapKeys.length > 0 ? { [`${prefix}list-map-keys`]: mapKeys } : {}),
    [`${prefix}list-type`]: listType,
  };
}

function patchExtensions(patch: PatchStrategy | undefined, prefix: `x-${string}`): OpenApiSchema {
  if (!patch) return {};
  const strategies = (['merge', 'retainKeys', 'replace'] as const).filter((name) => patch[name]);
  return {
    ...(patch.mergeKey ? { [`${prefix}patch-merge-key`]: patch.mergeKey } : {}),
    ...(strategies.length > 0 ? { [`${prefix}patch-strategy`]: strategies.join(',') } : {}),
  };
}
