import {
  CelList,
  CelMap,
  CelObject,
  type CelValue,
  Duration,
  itemsOf,
  keyIdentity,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from './cel-value.ts';

/** Reports whether two values are equal. Numbers of different types may be; other types are not. */
export function equalCel(left: CelValue, right: CelValue): boolean {
  if (left === right) return true;
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
  if (left instanceof CelList) return right instanceof CelList && equalLists(left, right);
  if (left instanceof CelMap) return right instanceof CelMap && equalMaps(left, right);
  if (left instanceof CelObject) return right instanceof CelObject && equalObjects(left, right);
  return equalScalars(left, right);
}

function equalScalars(left: object, right: object): boolean {
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanos === right.nanos;
  if (left instanceof Duration) return right instanceof Duration && left.nanos === right.nanos;
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  if (left instanceof Opaque) {
    return right instanceof Opaque && left.type === right.type && left.identity === right.identity;
  }
  if (!(left instanceof Optional) || !(right instanceof Optional)) return false;
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equalCel(left.value, right.value);
}

/** Two lists without an order are equal if each item of one has an equal one in the other. */
function equalLists(left: CelList, right: CelList): boolean {
  if (left.size !== right.size) return false;
  const identity = left.identity ?? right.identity;
  if (!identity) {
    for (let index = 0; index < left.size; index++) if (!equalCel(left.at(index), right.at(index))) return false;
    return true;
  }
  const others = new Map(itemsOf(right).map((item) => [valueIdentity(identity.keyOf(item)), item]));
  return itemsOf(left).every((item) => {
    const other = others.get(valueIdentity(identity.keyOf(item)));
    return other !== undefined && equalCel(item, other);
  });
}

/** A text that is the same for equal values. */
export function valueIdentity(value: CelValue): string {
  const scalar = keyIdentity(value);
  if (scalar !== undefined) return `${scalar.length}${scalar}`;
  if (value instanceof CelList) return `[${itemsOf(value).map(valueIdentity).join()}]`;
  if (value instanceof CelMap) {
    const entries = value.keys().map((key) => `${valueIdentity(key)}:${valueIdentity(value.get(key) ?? null)}`);
    return `{${entries.toSorted().join()}}`;
  }
  if (value instanceof CelObject) {
    const entries = value.fields().map((field) => `${field}:${valueIdentity(value.get(field) ?? null)}`);
    return `(${entries.toSorted().join()})`;
  }
  if (value instanceof Timestamp) return `t${value.nanos}`;
  if (value instanceof Duration) return `d${value.nanos}`;
  if (value instanceof Uint8Array) return `y${Buffer.from(value).toString('base64')}`;
  if (value instanceof Opaque) return `${value.type}(${value.identity})`;
  return typeof value === 'object' ? JSON.stringify(value) : `v${value}`;
}

function equalMaps(left: CelMap, right: CelMap): boolean {
  if (left.size !== right.size) return false;
  return left.keys().every((key) => {
    const [value, other] = [left.get(key), right.get(key)];
    return value !== undefined && other !== undefined && equalCel(value, other);
  });
}

function equalObjects(left: CelObject, right: CelObject): boolean {
  const fields = left.fields();
  if (fields.length !== right.fields().length) return false;
  return fields.every((field) => {
    const [value, other] = [left.get(field), right.get(field)];
    return value !== undefined && other !== undefined && equalCel(value, other);
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
