import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';
import { ExpressionError } from './expression.ts';
import { CelList, CelMap, CelObject, type CelValue, fieldsOf, itemsOf, Uint } from './cel-value.ts';
import { spend, visitWork, type WorkMeter } from './work-meter.ts';

/** A list from a JSON document, not made by an expression. */
class JsonList extends CelList {}

/** A map from a JSON document. */
class JsonMap extends CelMap {}

/** True for lists and maps from JSON documents, false for those made by expressions. */
export function isOfDocument(value: CelList | CelMap): boolean {
  return value instanceof JsonList || value instanceof JsonMap;
}

/** A JSON value without a schema: objects are maps, and numbers doubles. */
export function fromJson(value: JsonValue): CelValue {
  if (Array.isArray(value)) return new JsonList(value.length, (index) => fromJson(value[index] ?? null));
  return isJsonObject(value) ? mapOfJson(value) : value;
}

/** Like `fromJson`, but whole numbers become ints, for objects whose schema has no doubles. */
export function fromJsonWithInts(value: JsonValue): CelValue {
  if (Array.isArray(value)) return new JsonList(value.length, (index) => fromJsonWithInts(value[index] ?? null));
  if (isJsonObject(value)) return jsonMap(value, fromJsonWithInts);
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}

function mapOfJson(object: JsonObject): CelMap {
  return jsonMap(object, fromJson);
}

/** A JSON object as a map; `read` converts its values. */
function jsonMap(object: JsonObject, read: (value: JsonValue) => CelValue): CelMap {
  return new JsonMap({
    get: (key) => {
      const value = typeof key === 'string' ? getOwn(object, key) : undefined;
      return value === undefined ? undefined : read(value);
    },
    keys: () => Object.keys(object),
  });
}

/** Converts values that JSON does not have; undefined if there is no conversion. */
type JsonOfOthers = (value: CelValue) => JsonValue | undefined;

/**
 * The JSON of the value of an expression. Throws ExpressionError for types without JSON, and
 * CostExceeded.
 */
export function toJson(meter: WorkMeter, value: CelValue, others: JsonOfOthers = noJson): JsonValue {
  spend(meter, visitWork);
  const partOf = (part: CelValue | undefined): JsonValue => toJson(meter, part ?? null, others);
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') {
    return value;
  }
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  if (value instanceof CelList) return itemsOf(meter, value).map(partOf);
  if (value instanceof CelMap) {
    return objectOf(value.keys(meter).map((key) => [nameOfKey(key), partOf(value.get(key))]));
  }
  if (value instanceof CelObject) {
    return objectOf(fieldsOf(meter, value).map((field) => [field, partOf(value.get(field))]));
  }
  const other = others(value);
  if (other === undefined) throw new ExpressionError('the value has a type that JSON does not have');
  return other;
}

function noJson(): undefined {
  return undefined;
}

function objectOf(entries: readonly (readonly [name: string, value: JsonValue])[]): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of entries) setOwn(object, name, value);
  return object;
}

/** A key of a map as the name of a field. */
export function nameOfKey(key: CelValue): string {
  if (key instanceof Uint) return String(key.value);
  return typeof key === 'object' ? '' : String(key);
}
