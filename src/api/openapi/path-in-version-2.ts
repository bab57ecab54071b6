import { memoize } from '../../meta/memoize.ts';
import { definedName, extensionPrefix, openApiReference } from '../../scheme/open-api-definition.ts';
import type { OpenApiSchema, OpenApiStyle } from '../../scheme/open-api-schema.ts';
import {
  type Method,
  type Operation,
  type OperationResponse,
  ownParameters,
  type Parameter,
  type PathItem,
  sharedParameters,
  statusTexts,
} from './operation.ts';

/** A parameter of OpenAPI v2 in the URL. */
export interface UrlParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: Parameter['type'];
  readonly description: string;
  readonly uniqueItems: true;
  readonly required?: true;
}

/** The parameter of OpenAPI v2 that is the body. */
export interface BodyParameter {
  readonly name: 'body';
  readonly in: 'body';
  readonly required?: true;
  readonly schema: OpenApiSchema;
}

/** A response of OpenAPI v2. */
export interface ResponseInVersion2 {
  readonly description: string;
  readonly schema?: OpenApiSchema;
}

/** An operation of OpenAPI v2. */
export interface OperationInVersion2 {
  readonly description: string;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly string[];
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly (UrlParameter | BodyParameter)[];
  readonly responses: Readonly<Record<string, ResponseInVersion2>>;
  readonly [extension: `x-${string}`]: unknown;
}

/** A path of OpenAPI v2. */
export type PathInVersion2 = Partial<Record<Method, OperationInVersion2>> & {
  readonly parameters?: readonly UrlParameter[];
};

/** Returns a path as OpenAPI v2 describes it. */
export function pathInVersion2(item: PathItem, style: OpenApiStyle): PathInVersion2 {
  const shared = sharedParameters(item).map(urlParameter);
  const operations = item.operations.map((operation) => [operation.method, operationOf(item, operation, style)]);
  // The keys are methods.
  return { ...Object.fromEntries(operations), ...(shared.length > 0 ? { parameters: shared } : {}) } as PathInVersion2;
}

function operationOf(item: PathItem, operation: Operation, style: OpenApiStyle): OperationInVersion2 {
  const parameters = [...bodyOf(operation, style), ...ownParameters(item, operation).map(urlParameter)];
  return {
    description: operation.description,
    consumes: operation.consumes,
    produces: operation.produces,
    schemes: ['https'],
    tags: [operation.tag],
    operationId: operation.id,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: Object.fromEntries([
      ...operation.responses.map((response) => [response.status, responseOf(response, style)]),
      [401, { description: statusTexts[401] }],
    ]),
    ...operationExtensions(operation, style),
  };
}

/** Returns the extensions that name the action and the kind of an operation, in both versions. */
export function operationExtensions({ action, kind }: Operation, { identifiers }: OpenApiStyle): OpenApiSchema {
  const prefix = extensionPrefix(identifiers);
  return {
    ...(action ? { [`${prefix}action`]: action } : {}),
    ...(kind ? { [`${prefix}group-version-kind`]: kind } : {}),
  };
}

function bodyOf({ body }: Operation, style: OpenApiStyle): readonly BodyParameter[] {
  if (!body) return [];
  const schema = schemaOfBody(body.schema, style);
  return [{ name: 'body', in: 'body', ...(body.required ? { required: true } : {}), schema }];
}

function responseOf({ status, schema }: OperationResponse, style: OpenApiStyle): ResponseInVersion2 {
  return { description: statusTexts[status], schema: schemaOfBody(schema, style) };
}

/** Returns the schema of a body: a reference to its definition, or text. */
export function schemaOfBody(schema: OperationResponse['schema'], style: OpenApiStyle): OpenApiSchema {
  if (schema === 'text') return { type: 'string' };
  const name = definedName(schema, style.identifiers);
  return name === undefined ? {} : openApiReference(name, style);
}

const urlParameter = memoize(
  ({ name, in: place, type, description }: Parameter): UrlParameter => ({
    uniqueItems: true,
    type,
    description,
    name,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
  }),
);
