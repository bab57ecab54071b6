import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../../src/meta/json-value.ts';
import type { Difference } from '../compare.ts';
import type { JsonPath } from '../json-paths.ts';
import type { FieldNames } from './known-difference.ts';
import type { Field, ObjectSchema, Schema } from '../../../src/scheme/model/schema.ts';

/** Messages that releases 1.21 to 1.23 marked atomic: one manager owns the whole value. */
const atomicMessages: ReadonlySet<string> = new Set([
  'api.autoscaling.v1.CrossVersionObjectReference',
  'api.autoscaling.v2.CrossVersionObjectReference',
  'api.autoscaling.v2beta1.CrossVersionObjectReference',
  'api.autoscaling.v2beta2.CrossVersionObjectReference',
  'api.core.v1.ConfigMapKeySelector',
  'api.core.v1.EndpointAddress',
  'api.core.v1.EndpointPort',
  'api.core.v1.LocalObjectReference',
  'api.core.v1.NodeSelector',
  'api.core.v1.NodeSelectorTerm',
  'api.core.v1.ObjectFieldSelector',
  'api.core.v1.ObjectReference',
  'api.core.v1.ResourceFieldSelector',
  'api.core.v1.ScopeSelector',
  'api.core.v1.ScopedResourceSelectorRequirement',
  'api.core.v1.SecretKeySelector',
  'api.core.v1.SecretReference',
  'api.core.v1.TopologySelectorTerm',
  'api.core.v1.TypedLocalObjectReference',
  'api.discovery.v1.EndpointPort',
  'api.discovery.v1beta1.EndpointPort',
  'api.meta.v1.OwnerReference',
  'api.rbac_authorization.v1.RoleRef',
  'api.rbac_authorization.v1.Subject',
  'api.rbac_authorization.v1beta1.RoleRef',
  'api.rbac_authorization.v1beta1.Subject',
]);

/** Maps that these releases marked atomic. */
const atomicMaps: ReadonlySet<string> = new Set([
  'api.core.v1.PodSpec.nodeSelector',
  'api.core.v1.ReplicationControllerSpec.selector',
  'api.core.v1.ServiceSpec.selector',
  'api.node.v1.Scheduling.nodeSelector',
  'api.node.v1beta1.Scheduling.nodeSelector',
]);

/**
 * Normalised managers without the sub-resource by which they wrote; those that then are one are merged. Those who wrote
 * a scale are left out.
 */
export function withoutSubresource(body: JsonValue): JsonValue {
  return mapManagers(body, (name, fields) =>
    name.includes('["subresource","scale"]') ? undefined : [name.replace(/,?\["subresource","\w*"\]/, ''), fields],
  );
}

/** Normalised managers without the fields inside values that became atomic. */
export function withoutAtomicContent(body: JsonValue, schema: ObjectSchema): JsonValue {
  return mapManagers(body, (name, fields) => [name, flattened(fields, schema)]);
}

const namespaceLabel = 'kubernetes.io/metadata.name';

/** A normalised body without the label that each Namespace has since release 1.21, and without its owners. */
export function withoutNamespaceLabel(body: JsonValue): JsonValue {
  if (Array.isArray(body)) return body.map(withoutNamespaceLabel);
  if (!isJsonObject(body)) return body;
  const result: JsonObject = {};
  for (const [key, part] of Object.entries(body)) {
    if (key === namespaceLabel || key === `f:${namespaceLabel}`) continue;
    const left = withoutNamespaceLabel(part);
    if (!isLeftEmpty(key, left)) setOwn(result, key, left);
  }
  return result;
}

/** Labels of which none is left are none, and so is their ownership. */
function isLeftEmpty(key: string, value: JsonValue): boolean {
  const text = JSON.stringify(value);
  if (key === 'labels' || key === 'f:metadata') return text === '{}';
  return key === 'f:labels' && (text === '{}' || text === '{".":{}}');
}

/**
 * Whether a difference is about who owns a value that became atomic: a change inside the value takes all of it from its
 * owner since, and left the value itself before.
 */
export function isAtomicOwner({ path }: Difference, schema: Schema): boolean {
  const start = path.indexOf('managedFields') + 2;
  if (start < 2) return false;
  const fields = path.slice(start);
  if (fields.at(-1) === '.' && fields.at(-2) === 'f:ownerReferences') return true;
  let below: Below = { schema };
  for (const key of fields) below = below.schema ? partBelow(below.schema, String(key)) : {};
  return isAtomicMap(below) || (below.schema?.type === 'object' && atomicMessages.has(below.schema.name));
}

/** Whether a place in an object is inside a value that became atomic. */
export function isInAtomicStruct(path: JsonPath, schema: Schema): boolean {
  let at: Schema | undefined = schema;
  for (const key of path.slice(path[0] === 'items' ? 2 : 0, -1)) {
    const part: Below = at ? partBelow(at, String(key)) : {};
    if (isAtomicMap(part)) return true;
    at = part.schema;
    if (at?.type === 'object' && atomicMessages.has(at.name)) return true;
  }
  return false;
}

/** Whether a field is a value that became atomic, or inside one. Errors name events of each version by the oldest. */
export function isAtomicPlace(names: FieldNames, schema: ObjectSchema): boolean {
  const [first = '', ...below] = names;
  const place = first === 'involvedObject' && schema.fields.has('regarding') ? ['regarding', ...below] : names;
  let at: Schema | undefined = schema;
  for (const name of place) {
    const part: Below = at ? partBelow(at, name) : {};
    if (isAtomicMap(part)) return true;
    at = part.schema;
    if (at?.type === 'list') at = at.items;
    if (at?.type === 'object' && atomicMessages.has(at.name)) return true;
  }
  return false;
}

/** Undefined leaves the manager out. */
export type MapManager = (name: string, fields: JsonValue) => readonly [string, JsonValue] | undefined;

/** Changes the normalised managers of an object, or of each object in a list or a watch. */
export function mapManagers(value: JsonValue, map: MapManager): JsonValue {
  if (Array.isArray(value)) return value.map((item) => mapManagers(item, map));
  if (!isJsonObject(value)) return value;
  const { managedFields } = value;
  const result: JsonObject = {};
  for (const [key, part] of Object.entries(value)) {
    if (key === 'events' && isJsonObject(part)) setOwn(result, key, mapEvents(part, map));
    else setOwn(result, key, holders.has(key) ? mapManagers(part, map) : part);
  }
  if (isJsonObject(managedFields)) result['managedFields'] = mapEntries(managedFields, map);
  return result;
}

/** Fields in which objects are, or their metadata. */
const holders: ReadonlySet<string> = new Set(['metadata', 'items', 'object', 'rows']);

function mapEvents(events: JsonObject, map: MapManager): JsonObject {
  return Object.fromEntries(Object.entries(events).map(([name, list]) => [name, mapManagers(list, map)]));
}

function mapEntries(managers: JsonObject, map: MapManager): JsonObject {
  const result: JsonObject = {};
  for (const [name, fields] of Object.entries(managers)) {
    const mapped = map(name, fields);
    if (mapped) setOwn(result, mapped[0], union(result[mapped[0]], mapped[1]));
  }
  return result;
}

function union(one: JsonValue | undefined, other: JsonValue): JsonValue {
  if (!isJsonObject(one) || !isJsonObject(other)) return other;
  const all = { ...one };
  for (const [key, value] of Object.entries(other)) setOwn(all, key, union(all[key], value));
  return all;
}

/** Follows a field tree and the schema together. */
function flattened(fields: JsonValue, schema: Schema | undefined): JsonValue {
  if (!isJsonObject(fields) || !schema) return fields;
  if (schema.type === 'object' && atomicMessages.has(schema.name)) return {};
  const result: JsonObject = {};
  for (const [key, part] of Object.entries(fields)) {
    const below = partBelow(schema, key);
    setOwn(result, key, isAtomicMap(below) ? {} : flattened(part, below.schema));
  }
  return result;
}

interface Below {
  readonly schema?: Schema;
  readonly field?: Field;
  readonly message?: string;
}

function isAtomicMap({ field, message }: Below): boolean {
  return field !== undefined && atomicMaps.has(`${message}.${field.name}`);
}

function partBelow(schema: Schema, key: string): Below {
  if (schema.type === 'list') return { schema: schema.items };
  if (schema.type === 'map') return { schema: schema.values };
  const field = schema.type === 'object' ? schema.fields.get(key.replace(/^f:/, '')) : undefined;
  return field && schema.type === 'object' ? { schema: field.schema, field, message: schema.name } : {};
}
