import type { Identifiers } from '../../identifiers/identifiers.ts';
import { memoize } from '../../meta/memoize.ts';
import type { ConnectDefinition } from '../../registry/definition/connect-definition.ts';
import type { DefinedSchema } from '../../scheme/open-api-definition.ts';

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
}

/** The media types of objects. */
export function objectTypes({ protobufMediaType }: Identifiers): readonly string[] {
  return ['application/json', 'application/yaml', protobufMediaType];
}

/** The media types of objects, lists and watches. */
export function listTypes(identifiers: Identifiers): readonly string[] {
  const watched = ['application/json;stream=watch', `${identifiers.protobufMediaType};stream=watch`];
  return [...objectTypes(identifiers), ...watched];
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
