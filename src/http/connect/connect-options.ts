import type { ConnectDefinition } from '../../registry/connect-definition.ts';
import { formatApiVersion } from '../../meta/group-version-kind.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type { Schema } from '../../scheme/schema.ts';
import type { ResourceTarget } from '../request/request-path.ts';
import type { Query } from '../request/query.ts';

/**
 * The options of a connection as an object: the parameters of the query that its kind has, and the
 * path after the sub-resource.
 */
export function connectOptions(
  { kind = '', options, hasPath }: ConnectDefinition,
  { group, version, rest }: ResourceTarget,
  query: Query,
): JsonObject {
  const object: JsonObject = { kind, apiVersion: formatApiVersion(group, version) };
  for (const { name, schema } of options?.().fields.values() ?? []) {
    const values = query.getAll(name);
    const [first] = values;
    if (first !== undefined) object[name] = valueOf(schema, values, first);
  }
  if (hasPath) object['path'] = rest === '' ? '/' : rest;
  return object;
}

function valueOf(schema: Schema, values: readonly string[], first: string): JsonValue {
  if (schema.type === 'list') return values.map((value) => valueOf(schema.items, [value], value));
  if (schema.type === 'bool') return first !== 'false' && first !== '0';
  if (schema.type === 'int32' || schema.type === 'int64') return Number.parseInt(first, 10) || 0;
  return first;
}
