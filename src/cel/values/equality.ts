import {
  CelList,
  CelMap,
  CelObject,
  type CelValue,
  Duration,
  fieldsOf,
  itemsOf,
  keyIdentity,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from './cel-value.ts';
import { keptWork, spend, visitWork, type WorkMeter } from './work-meter.ts';

/**
 * Reports whether two values are equal. Numbers of different types may be; other types are not.
 * Each value that is compared is taken from the meter, because a value can occur in another one
 * very many times.
 */
export function equalCel(meter: WorkMeter, left: CelValue, right: CelValue): boolean {
  spend(meter, visitWork);
  if (typeof left === 'string' && typeof right === 'string') return equalTexts(meter, left, right);
  if (left === right) return true;
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
  if (left instanceof CelList) return right instanceof CelList && equalLists(meter, left, right);
  if (left instanceof CelMap) return right instanceof CelMap && equalMaps(meter, left, right);
  if (left instanceof CelObject) return right instanceof CelObject && equalObjects(meter, left, right);
  if (left instanceof Optional) return right instanceof Optional && equalOptionals(meter, left, right);
  return equalScalars(meter, left, right);
}

/** Texts of the same length are read to their first difference. */
function equalTexts(meter: WorkMeter, left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  spend(meter, left.length >> 3);
  return left === right;
}

function equalOptionals(meter: WorkMeter, left: Optional, right: Optional): boolean {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equalCel(meter, left.value, right.value);
}

function equalScalars(meter: WorkMeter, left: object, right: object): boolean {
  if (left instanceof Uint8Array) {
    spend(meter, left.length >> 3);
    return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanos === right.nanos;
  if (left instanceof Duration) return right instanceof Duration && left.nanos === right.nanos;
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  if (!(left instanceof Opaque) || !(right instanceof Opaque)) return false;
  return left.type === right.type && equalTexts(meter, left.identity, right.identity);
}

/** Two lists without an order are equal if each item of one has an equal one in the other. */
function equalLists(meter: WorkMeter, left: CelList, right: CelList): boolean {
  if (left.size !== right.size) return false;
  const identity = left.identity ?? right.identity;
  if (!identity) {
    for (let index = 0; index < left.size; index++) if (!equalCel(meter, left.at(index), right.at(index))) return false;
    return true;
  }
  const identityOf = (item: CelValue): string => valueIdentity(meter, identity.keyOf(item));
  const others = new Map(itemsOf(meter, right, keptWork).map((item) => [identityOf(item), item]));
  return itemsOf(meter, left, keptWork).every((item) => {
    const other = others.get(identityOf(item));
    return other !== undefined && equalCel(meter, item, other);
  });
}

/** A text that is the same for equal values. */
export function valueIdentity(meter: WorkMeter, value: CelValue): string {
  spend(meter, visitWork);
  if (typeof value === 'string') spend(meter, value.length);
  const scalar = keyIdentity(value);
  if (scalar !== undefined) return `${scalar.length}${scalar}`;
  if (value instanceof CelList) {
    return `[${itemsOf(meter, value)
      .map((item) => valueIdentity(meter, item))
      .join()}]`;
  }
  if (value instanceof CelMap) return `{${entriesIdentity(meter, value.keys(meter), (key) => value.get(key) ?? null)}}`;
  if (value instanceof CelObject) {
    return `(${entriesIdentity(meter, fieldsOf(meter, value), (field) => value.get(field) ?? null)})`;
  }
  if (value instanceof Timestamp) return `t${value.nanos}`;
  if (value instanceof Duration) return `d${value.nanos}`;
  if (value instanceof Uint8Array) return `y${bytesIdentity(meter, value)}`;
  if (value instanceof Opaque) return `${value.type}(${value.identity})`;
  return typeof value === 'object' ? JSON.stringify(value) : `v${value}`;
}

function entriesIdentity<K extends CelValue>(
  meter: WorkMeter,
  keys: readonly K[],
  valueOf: (key: K) => CelValue,
): string {
  const entries = keys.map((key) => `${valueIdentity(meter, key)}:${valueIdentity(meter, valueOf(key))}`);
  return entries.toSorted().join();
}

function bytesIdentity(meter: WorkMeter, bytes: Uint8Array): string {
  spend(meter, bytes.length * 2);
  return Buffer.from(bytes).toString('base64');
}

function equalMaps(meter: WorkMeter, left: CelMap, right: CelMap): boolean {
  const keys = left.keys(meter);
  if (keys.length !== right.keys(meter).length) return false;
  return keys.every((key) => {
    const [value, other] = [left.get(key), right.get(key)];
    return value !== undefined && other !== undefined && equalCel(meter, value, other);
  });
}

function equalObjects(meter: WorkMeter, left: CelObject, right: CelObject): boolean {
  const fields = fieldsOf(meter, left);
  if (fields.length !== fieldsOf(meter, right).length) return false;
  return fields.every((field) => {
    const [value, other] = [left.get(field), right.get(field)];
    return value !== undefined && other !== undefined && equalCel(meter, value, other);
  });
}

function isNumber(value: CelValue): value is number | bigint | Uint {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint;
}

function compareNumbers(left: number | bigint | Uint, right: number | bigint | Uint): number {
  const [one, two] = [left instanceof Uint ? left.value : left, right instanceof Uint ? right.value : right];
  // As in cel-go an integer is rounded before it is compared with a double.
  const isSame = typeof one === typeof two;
  const [a, b] = isSame ? [one, two] : [Number(one), Number(two)];
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0;
}

/** Compares values with an order: negative, 0, positive, or NaN; undefined if they have none. */
export function compareCel(left: CelValue, right: CelValue): number | undefined {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Timestamp && right instanceof Timestamp) return compareNumbers(left.nanos, right.nanos);
  if (left instanceof Duration && right instanceof Duration) return compareNumbers(left.nanos, right.nanos);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  return undefined;
}

/** Orders texts by code points, as their bytes in UTF-8 are. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdf_ff;
}
