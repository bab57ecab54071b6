import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { versionOf, widgetsIn } from '../../http/custom-resources/widgets.ts';
import type { SentRequest } from './shape.ts';

/** The collection of ConfigMaps. */
export const maps = '/api/v1/namespaces/default/configmaps';
/** The media type of a Table. */
export const table = 'application/json;as=Table;v=v1;g=meta.cl.io';

/** A body has fewer values than this, and the search would run out of memory before it knew. */
const mostValues = 4_000_000;

/** As many values as a size says. Throws `RangeError` for more than a request can have. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  if (count > mostValues) throw new RangeError(`${count} values are too many for a request`);
  return Array.from({ length: Math.max(0, Math.floor(count)) }, (_, index) => make(index));
}

/** A text of a length. */
export function text(length = 1): string {
  return 'x'.repeat(length);
}

/** An object of many keys with one value. */
export function keys(count: number, value: JsonValue): JsonObject {
  return Object.fromEntries(times(count, (index) => [`key${index}`, value]));
}

/** Objects inside of each other. */
export function nested(depth: number, inner: JsonValue): JsonValue {
  return times(depth, () => 0).reduce<JsonValue>((value) => ({ a: value }), inner);
}

/** The schema of any object. */
export const anything: JsonObject = { type: 'object', 'x-cluster-preserve-unknown-fields': true };

/** A kind whose version has a schema. */
export function kindOf(group: string, schema: JsonObject, rest: JsonObject = {}): JsonObject {
  return widgetsIn(group, { versions: [versionOf('v1', { schema: { openAPIV3Schema: schema }, ...rest })] });
}

/** A create of an object with the name `a`. */
export function create(path: string, object: JsonObject): SentRequest {
  return { method: 'POST', path, body: JSON.stringify({ metadata: { name: 'a' }, ...object }) };
}

/** A patch of an object. */
export function patch(path: string, type: string, document: JsonValue): SentRequest {
  return { method: 'PATCH', path, contentType: `application/${type}`, body: JSON.stringify(document) };
}
