import { durationText } from '../../../cel/functions/conversions.ts';
import {
  CelList,
  CelMap,
  CelObject,
  type CelValue,
  Duration,
  fieldsOf,
  itemsOf,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
} from '../../../cel/values/cel-value.ts';
import { nameOfKey, isOfDocument, toJson } from '../../../cel/values/from-json.ts';
import { formatTimestamp } from '../../../cel/values/timestamp.ts';
import { spend, visitWork, type WorkMeter } from '../../../cel/values/work-meter.ts';
import { type JsonObject, type JsonValue, setOwn } from '../../../meta/json-value.ts';

/** A value in an object of an expression that kube-apiserver does not accept as JSON. */
export interface NonJsonValue {
  /** The path of the value: names of fields and indexes of lists. */
  readonly path: readonly (string | number)[];
  readonly value: CelValue;
}

/**
 * The fields of an object of an expression. Values that are not JSON are replaced by a JSON form.
 */
export interface ObjectFields {
  readonly fields: JsonObject;
  readonly nonJson: readonly NonJsonValue[];
}

/**
 * Converts an object of an expression as kube-apiserver does. Null, unsigned integers, bytes, times
 * and durations are not JSON there, nor are lists and maps that the expression makes inside other
 * lists and maps.
 */
export function objectFields(object: CelObject, meter: WorkMeter): ObjectFields {
  const nonJson: NonJsonValue[] = [];
  const reading = { meter, nonJson, path: [] };
  return { fields: objectOf(object, reading), nonJson };
}

/** The most values that are reported: an expression may make a million of them. */
const mostNonJson = 100;

interface Reading {
  readonly meter: WorkMeter;
  readonly nonJson: NonJsonValue[];
  readonly path: (string | number)[];
}

function objectOf(object: CelObject, reading: Reading): JsonObject {
  const fields: JsonObject = {};
  for (const field of fieldsOf(reading.meter, object)) {
    setOwn(fields, field, partOf(field, object.get(field) ?? null, reading, fieldValue));
  }
  return fields;
}

type Read = (value: CelValue, reading: Reading) => JsonValue;

function partOf(step: string | number, value: CelValue, reading: Reading, read: Read): JsonValue {
  spend(reading.meter, visitWork);
  reading.path.push(step);
  const part = read(value instanceof Optional ? (value.value ?? absent) : value, reading);
  reading.path.pop();
  return part;
}

/** A missing optional value, which becomes the null of JSON; the null of CEL is not JSON. */
const absent = new Optional(undefined);

/** Converts the value of a field. Items of lists and entries of maps are converted one by one. */
function fieldValue(value: CelValue, reading: Reading): JsonValue {
  const { meter } = reading;
  if (value instanceof CelList && !isOfDocument(value)) {
    return itemsOf(meter, value).map((item, index) => partOf(index, item ?? null, reading, itemValue));
  }
  if (!(value instanceof CelMap) || isOfDocument(value)) return itemValue(value, reading);
  const made: JsonObject = {};
  for (const key of value.keys(meter)) {
    const name = nameOfKey(key);
    setOwn(made, name, partOf(name, value.get(key) ?? null, reading, itemValue));
  }
  return made;
}

function itemValue(value: CelValue, reading: Reading): JsonValue {
  const { meter, nonJson, path } = reading;
  if (value === absent) return null;
  if (value instanceof CelObject) return objectOf(value, reading);
  if (value instanceof TypeValue) return value.name;
  if (isNonJson(value) && nonJson.length < mostNonJson) nonJson.push({ path: [...path], value });
  return value instanceof Opaque ? null : toJson(meter, value, textOfOther);
}

function isNonJson(value: CelValue): boolean {
  if (value instanceof CelList || value instanceof CelMap) return !isOfDocument(value);
  return typeof value === 'object';
}

/**
 * The JSON strings of times, durations and bytes, as in Protocol Buffers; undefined for other
 * values.
 */
export function textOfOther(value: CelValue): string | undefined {
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value instanceof Timestamp ? formatTimestamp(value.nanos) : undefined;
}
