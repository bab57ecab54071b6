import type { OpenApiSchema, OpenApiStyle } from '../../scheme/open-api-schema.ts';
import {
  type Operation,
  type OperationResponse,
  ownParameters,
  type Parameter,
  type PathItem,
  sharedParameters,
} from './operation.ts';
import { operationExtensions, schemaOfBody } from './path-in-version-2.ts';
import { statusTexts } from './status-texts.ts';

/** The schemas of bodies by media type. */
type Content = Readonly<Record<string, { readonly schema: OpenApiSchema }>>;

/** Returns a path as OpenAPI v3 describes it. */
export function pathInVersion3(item: PathItem, style: OpenApiStyle): object {
  const shared = sharedParameters(item).map(parameterOf);
  const operations = item.operations.map((operation) => [operation.method, operationOf(item, operation, style)]);
  return { ...Object.fromEntries(operations), ...(shared.length > 0 ? { parameters: shared } : {}) };
}

function operationOf(item: PathItem, operation: Operation, style: OpenApiStyle): object {
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

function requestBody({ body, consumes }: Operation, style: OpenApiStyle): object {
  if (!body) return {};
  const content = contentOf(consumes, schemaOfBody(body.schema, style));
  return { requestBody: { content, ...(body.required ? { required: true } : {}) } };
}

function responseOf({ produces }: Operation, { status, schema }: OperationResponse, style: OpenApiStyle): object {
  return { description: statusTexts[status], content: contentOf(produces, schemaOfBody(schema, style)) };
}

function contentOf(types: readonly string[], schema: OpenApiSchema): Content {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function parameterOf({ name, in: place, type, description }: Parameter): object {
  const required = place === 'path' ? { required: true } : {};
  return { name, in: place, description, ...required, schema: { type, uniqueItems: true } };
}
