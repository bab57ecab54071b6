import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { pathMethods } from './operation.ts';
import type { RemoteDescription } from './remote-documents.ts';

/** The keys of an operation that mean the same in both versions, besides extensions. */
const sharedKeys: ReadonlySet<string> = new Set([
  'tags',
  'summary',
  'description',
  'externalDocs',
  'operationId',
  'deprecated',
]);

/** The keys of a parameter that are not of its schema in version 3. */
const parameterKeys: ReadonlySet<string> = new Set(['name', 'in', 'description', 'required', 'allowEmptyValue']);

/** The media types of bodies whose operation names none. */
const defaultTypes: readonly string[] = ['application/json'];

const definitionsRoot = '#/definitions/';
const schemasRoot = '#/components/schemas/';

/**
 * Converts a description of version 2 to version 3, as kube-apiserver does for servers that have no
 * documents of version 3: bodies move from the parameters to the request, with a schema for each
 * media type. Parameters of forms are left out.
 */
export function inVersion3({ paths, definitions }: RemoteDescription): RemoteDescription {
  return {
    paths: new Map([...paths].map(([path, item]) => [path, withNewReferences(convertPath(item))])),
    definitions: new Map([...definitions].map(([name, schema]) => [name, withNewReferences(schema)])),
  };
}

function convertPath(item: JsonObject): JsonObject {
  const entries = Object.entries(item).map(([key, value]): [string, JsonValue] => {
    if (pathMethods.has(key) && isJsonObject(value)) return [key, convertOperation(value)];
    return [key, key === 'parameters' ? urlParameters(value) : value];
  });
  return Object.fromEntries(entries);
}

function convertOperation(operation: JsonObject): JsonObject {
  const { consumes, produces, parameters, responses } = operation;
  const body = objectsIn(parameters).find((parameter) => parameter['in'] === 'body');
  const kept = Object.entries(operation).filter(([key]) => sharedKeys.has(key) || key.startsWith('x-'));
  const answers = Object.entries(isJsonObject(responses) ? responses : {});
  return {
    ...Object.fromEntries(kept),
    ...(parameters === undefined ? {} : { parameters: urlParameters(parameters) }),
    ...(body ? { requestBody: { ...bodyFacts(body), content: contentOf(consumes, body['schema']) } } : {}),
    responses: Object.fromEntries(answers.map(([status, answer]) => [status, convertResponse(answer, produces)])),
  };
}

function bodyFacts({ description, required }: JsonObject): JsonObject {
  return { ...(description === undefined ? {} : { description }), ...(required === true ? { required } : {}) };
}

function convertResponse(response: JsonValue, produces: JsonValue | undefined): JsonValue {
  if (!isJsonObject(response)) return response;
  const { description = '', schema } = response;
  return { description, ...(schema === undefined ? {} : { content: contentOf(produces, schema) }) };
}

function contentOf(types: JsonValue | undefined, schema: JsonValue = {}): JsonObject {
  const named = Array.isArray(types) ? types.filter((type) => typeof type === 'string') : [];
  return Object.fromEntries((named.length > 0 ? named : defaultTypes).map((type) => [type, { schema }]));
}

/** The parameters in the URL and in headers. */
function urlParameters(parameters: JsonValue | undefined): JsonObject[] {
  const converted = objectsIn(parameters).filter(({ in: place }) => place !== 'body' && place !== 'formData');
  return converted.map((parameter) => {
    const entries = Object.entries(parameter);
    return {
      ...Object.fromEntries(entries.filter(([key]) => isOfParameter(key))),
      schema: Object.fromEntries(entries.filter(([key]) => !isOfParameter(key) && key !== 'collectionFormat')),
    };
  });
}

function isOfParameter(key: string): boolean {
  return parameterKeys.has(key) || key.startsWith('x-');
}

function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Returns a copy of a part of a document in which references name the schemas of version 3. */
function withNewReferences(part: JsonObject): JsonObject {
  const text = JSON.stringify(part, (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(definitionsRoot)) return value;
    return schemasRoot + value.slice(definitionsRoot.length);
  });
  // A copy of a JSON object.
  return JSON.parse(text) as JsonObject;
}
