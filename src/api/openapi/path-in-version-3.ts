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
import { operationExtensions, schemaOfBody } from './path-in-version-2.ts';

/** The schemas of bodies by media type. */
export type Content = Readonly<Record<string, { readonly schema: OpenApiSchema }>>;

/** A parameter of OpenAPI v3. */
export interface ParameterInVersion3 {
  readonly name: string;
  readonly in: Parameter['in'];
  readonly description: string;
  readonly required?: true;
  readonly schema: OpenApiSchema;
}

/** The body of a request in OpenAPI v3. */
interface RequestBody {
  readonly content: Content;
  readonly required?: true;
}

/** A response of OpenAPI v3. */
export interface ResponseInVersion3 {
  readonly description: string;
  readonly content?: Content;
}

/** An operation of OpenAPI v3. */
export interface OperationInVersion3 {
  readonly tags: readonly string[];
  readonly description: string;
  readonly operationId: string;
  readonly parameters?: readonly ParameterInVersion3[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, ResponseInVersion3>>;
  readonly [extension: `x-${string}`]: unknown;
}

/** A path of OpenAPI v3. */
export type PathInVersion3 = Partial<Record<Method, OperationInVersion3>> & {
  readonly parameters?: readonly ParameterInVersion3[];
};

/** Returns a path as OpenAPI v3 describes it. */
export function pathInVersion3(item: PathItem, style: OpenApiStyle): PathInVersion3 {
  const shared = sharedParameters(item).map(parameterOf);
  const operations = item.operations.map((operation) => [operation.method, operationOf(item, operation, style)]);
  // The keys are methods.
  return { ...Object.fromEntries(operations), ...(shared.length > 0 ? { parameters: shared } : {}) } as PathInVersion3;
}

function operationOf(item: PathItem, operation: Operation, style: OpenApiStyle): OperationInVersion3 {
  const parameters = ownParameters(item, operation).map(parameterOf);
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.id,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(operation, style),
    responses: Object.fromEntries([
      ...operation.responses.map((response) => [response.status, responseOf(operation, response, style)]),
      [401, { description: statusTexts[401] }],
    ]),
    ...operationExtensions(operation, style),
  };
}

function requestBody({ body, consumes }: Operation, style: OpenApiStyle): { readonly requestBody?: RequestBody } {
  if (!body) return {};
  const content = contentOf(consumes, schemaOfBody(body.schema, style));
  return { requestBody: { content, ...(body.required ? { required: true } : {}) } };
}

function responseOf(
  { produces }: Operation,
  { status, schema }: OperationResponse,
  style: OpenApiStyle,
): ResponseInVersion3 {
  return { description: statusTexts[status], content: contentOf(produces, schemaOfBody(schema, style)) };
}

function contentOf(types: readonly string[], schema: OpenApiSchema): Content {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function parameterOf({ name, in: place, type, description }: Parameter): ParameterInVersion3 {
  const schema = { type, uniqueItems: true };
  return { name, in: place, description, ...(place === 'path' ? { required: true } : {}), schema };
}
