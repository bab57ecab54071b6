import type { Identifiers } from '../../identifiers/identifiers.ts';
import { memoize } from '../../meta/memoize.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import type { DefinedSchema } from '../../scheme/open-api-definition.ts';
import type { Field, ObjectSchema } from '../../scheme/model/schema.ts';
import { findSchema, schemaOf } from '../../scheme/schema-of.ts';

/** Returns the schema of the lists of a kind. Only built-in kinds declare one. */
export function listSchemaOf(
  schema: ObjectSchema,
  listKind: string,
  { fieldsRelease }: Pick<OpenApiNames, 'fieldsRelease'>,
): ObjectSchema {
  const name = `${schema.name.slice(0, schema.name.lastIndexOf('.') + 1)}${listKind}`;
  return findSchema(name, fieldsRelease) ?? customLists(schema)(name, fieldsRelease);
}

const customLists = memoize((schema: ObjectSchema) => {
  let list: ObjectSchema | undefined;
  return (name: string, release: string | undefined): ObjectSchema => (list ??= customList(schema, name, release));
});

function customList(items: ObjectSchema, name: string, release: string | undefined): ObjectSchema {
  const field = { inlinePath: [], required: false, alwaysPresent: true, explicit: false };
  const fields: readonly Field[] = [
    {
      ...field,
      name: 'metadata',
      number: 1,
      alwaysPresent: false,
      schema: schemaOf('api.meta.v1.ListMeta', release),
      description: 'The state that the list shows, and the token of its next page.',
    },
    {
      ...field,
      name: 'items',
      number: 2,
      required: true,
      schema: { type: 'list', items, listType: 'atomic', mapKeys: [], implied: true },
      description: 'The objects of the list.',
    },
  ];
  return {
    type: 'object',
    name,
    fields: new Map(fields.map((one) => [one.name, one])),
    atomic: false,
    preserveUnknown: false,
    description: 'A page of a collection.',
  };
}

/** The descriptions of the responses that operations declare. */
export const statusTexts = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' } as const;

/** The scheme of bearer tokens; client certificates have no form in OpenAPI v2 and v3.0. */
export const bearerToken = {
  BearerToken: { description: 'Authenticates by a bearer token.', type: 'apiKey', name: 'authorization', in: 'header' },
} as const;

/** The security requirement of every operation. */
export const securityRequirement = [{ BearerToken: [] }] as const;

/** A method of HTTP, as OpenAPI spells it. */
export type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/** The keys of the operations of a path, in both versions of OpenAPI. */
export const pathMethods: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

/** A parameter in the URL. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'boolean' | 'integer';
  readonly description: string;
}

/** A kind with its group and version, as in the extension of operations and definitions. */
export interface GroupVersionKind {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

/** A response that is not an error; its schema is `text` for a string. */
export interface OperationResponse {
  readonly status: 200 | 201 | 202;
  readonly schema: DefinedSchema | 'text';
}

/** One operation, in no version of the OpenAPI specification. */
export interface Operation {
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** The value of the extension `action`; absent outside resources. */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
  /** Sorted by name. */
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: DefinedSchema; readonly required: boolean };
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly responses: readonly OperationResponse[];
}

/** A path with its operations. */
export interface PathItem {
  readonly path: string;
  readonly operations: readonly Operation[];
}

/** A document outside the API that OpenAPI describes. */
export interface DescribedDocument {
  readonly path: string;
  readonly contentType: string;
  /** The operation that reads it. */
  readonly operation: Pick<Operation, 'id' | 'tag' | 'description'>;
}

/** The inputs of documents besides the catalogue. */
export interface OpenApiNames {
  readonly identifiers: Identifiers;
  readonly connects: readonly ConnectDefinition[];
  readonly documents: readonly DescribedDocument[];
  /** The version of the server. */
  readonly version: string;
  /** The release whose fields messages have; absent: the newest. */
  readonly fieldsRelease?: string;
  /** The media types of objects. */
  readonly mediaTypes: readonly string[];
  /** The media types of watches. */
  readonly watchMediaTypes: readonly string[];
}

/** The parameters that all operations of a path share; they stand on the path. */
export const sharedParameters = memoize(({ operations }: PathItem): readonly Parameter[] => {
  const [first, ...others] = operations;
  const isShared = (parameter: Parameter): boolean =>
    others.every(({ parameters }) => parameters.some((other) => isSame(parameter, other)));
  return first?.parameters.filter(isShared) ?? [];
});

/** The parameters of an operation that do not stand on its path. */
export function ownParameters(item: PathItem, { parameters }: Operation): readonly Parameter[] {
  const shared = sharedParameters(item);
  return parameters.filter((parameter) => !shared.some((other) => isSame(parameter, other)));
}

function isSame(a: Parameter, b: Parameter): boolean {
  return a.name === b.name && a.in === b.in;
}

/**
 * A group as operations are named by it: `Core` for the core group, `RbacAuthorization` for
 * `rbac.authorization.<domain>`, `ExampleCom` for a custom group.
 */
export function groupName(group: string, { apiDomain }: Identifiers): string {
  const short = group.endsWith(`.${apiDomain}`) ? group.slice(0, -apiDomain.length - 1) : group;
  return capitalised(short === '' ? 'core' : short, /[.-]/);
}

/** The tag of a group, or of one of its versions: `rbacAuthorization_v1`. */
export function groupTag(group: string, identifiers: Identifiers, version?: string): string {
  const name = groupName(group, identifiers);
  const tag = name.charAt(0).toLowerCase() + name.slice(1);
  return version === undefined ? tag : `${tag}_${version}`;
}

/** A text in parts that each begin with a capital. */
export function capitalised(text: string, between: RegExp = /[/]/): string {
  return text
    .split(between)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
