import type { CelType } from '../../cel/types/cel-type.ts';
import type { Client } from '../../client/client.ts';
import { ignoreReasons } from '../../client/status-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { objectAt } from '../../meta/read-field.ts';
import { type OpenApiSchemas, openApiType } from './open-api-type.ts';

/** Finds the type of the objects of a kind; undefined if the server does not describe it. */
type TypeOf = (group: string, version: string, kind: string) => Promise<CelType | undefined>;

/** Reads types from the OpenAPI documents of the server, each document once. */
export function openApiTypes(client: Client, signal: AbortSignal): TypeOf {
  const documents = new Map<string, Promise<OpenApiSchemas>>();
  return async (group, version, kind) => {
    const path = group === '' ? `/openapi/v3/api/${version}` : `/openapi/v3/apis/${group}/${version}`;
    const known = documents.get(path) ?? readSchemas(client, path, signal);
    documents.set(path, known);
    const schemas = await known;
    const schema = Object.values(schemas).find((one) => describes(one, { group, version, kind }));
    return schema && openApiType(schema, schemas, kind);
  };
}

async function readSchemas(client: Client, path: string, signal: AbortSignal): Promise<OpenApiSchemas> {
  const bytes = await ignoreReasons(client.transport.request({ method: 'GET', path, signal }), 'NotFound');
  if (!bytes) return {};
  const document = JSON.parse(bytes.toString('utf8')) as JsonObject;
  const schemas = Object.entries(objectAt(objectAt(document, 'components'), 'schemas'));
  return Object.fromEntries(schemas.filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1])));
}

/** Schemas of kinds name them in an extension that ends like this. */
const kindExtension = /-group-version-kind$/;

function describes(
  schema: JsonObject,
  wanted: { readonly group: string; readonly version: string; readonly kind: string },
): boolean {
  const [, kinds] = Object.entries(schema).find(([key]) => kindExtension.test(key)) ?? [];
  return Array.isArray(kinds) && kinds.some((one: JsonValue) => isSame(one, wanted));
}

function isSame(one: JsonValue, wanted: Readonly<Record<string, string>>): boolean {
  return isJsonObject(one) && ['group', 'version', 'kind'].every((name) => one[name] === wanted[name]);
}
