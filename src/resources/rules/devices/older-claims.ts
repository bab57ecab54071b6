import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';

/** The fields of a request that v1 has in `exactly`, and v1beta1 and v1alpha3 next to the name. */
const needs = [
  'deviceClassName',
  'selectors',
  'allocationMode',
  'count',
  'adminAccess',
  'tolerations',
  'capacity',
] as const;

/** The conversion of claims before v1beta2. `path` leads to the requests. */
export function olderClaims(path: readonly string[]): Conversion {
  return {
    toStorage: (object) => withRequests(object, path, nested),
    fromStorage: (object) => withRequests(object, path, flat),
  };
}

type ConvertRequest = (request: JsonObject) => JsonObject;

function withRequests(object: JsonObject, path: readonly string[], convert: ConvertRequest): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) {
    const { requests } = object;
    return Array.isArray(requests) ? { ...object, requests: requests.map((one) => converted(one, convert)) } : object;
  }
  const part = object[name];
  return isJsonObject(part) ? { ...object, [name]: withRequests(part, rest, convert) } : object;
}

function converted(request: JsonValue, convert: ConvertRequest): JsonValue {
  return isJsonObject(request) ? convert(request) : request;
}

/** Moves the fields into `exactly`. If there are none, the request has alternatives. */
function nested(request: JsonObject): JsonObject {
  const exactly: JsonObject = {};
  const others: JsonObject = {};
  for (const [name, value] of Object.entries(request)) {
    const isNeed = (needs as readonly string[]).includes(name);
    (isNeed ? exactly : others)[name] = value;
  }
  const { deviceClassName = '', ...more } = exactly;
  const isEmpty = deviceClassName === '' && Object.keys(more).length === 0;
  return isEmpty ? others : { ...others, exactly };
}

function flat({ name, exactly, ...rest }: JsonObject): JsonObject {
  const own = isJsonObject(exactly) ? exactly : { deviceClassName: '' };
  return { ...(name === undefined ? {} : { name }), ...own, ...rest };
}
