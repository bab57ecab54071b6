import type { CelType } from '../types/cel-type.ts';
import { keyWork, spend, visitWork, type WorkMeter } from './work-meter.ts';

/**
 * A value of an expression. Integers are `bigint`, doubles `number`. An error is a value too,
 * because operators may ignore it.
 */
export type CelValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | Uint
  | Uint8Array
  | CelList
  | CelMap
  | CelObject
  | Timestamp
  | Duration
  | Optional
  | TypeValue
  | Opaque
  | Failure;

/** An unsigned integer. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** An error of an evaluation. */
export class Failure {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** How the items of a list are identified, if it is a set or a map. */
interface ListIdentity {
  /** The key of an item. Of items with the same key a list has one. */
  readonly keyOf: (item: CelValue) => CelValue;
}

/** A list; its items are made when they are read. */
export class CelList {
  /** Changes only while a loop makes the list. */
  size: number;
  readonly at: (index: number) => CelValue;
  /** The identity of items, in a list whose order has no meaning. */
  readonly identity: ListIdentity | undefined;

  constructor(size: number, at: (index: number) => CelValue, identity?: ListIdentity) {
    this.size = size;
    this.at = at;
    this.identity = identity;
  }
}

/** A list of given items. Items may be added until the list is seen by others. */
export function listFrom(items: readonly CelValue[]): CelList {
  return new CelList(items.length, (index) => items[index] ?? null);
}

/** The items of a list, which are kept: `units` for each are taken from the meter. */
export function itemsOf(meter: WorkMeter, list: CelList, units = visitWork): CelValue[] {
  spend(meter, list.size * units);
  const items: CelValue[] = [];
  for (let index = 0; index < list.size; index++) items.push(list.at(index));
  return items;
}

/** A map. */
interface MapEntries {
  readonly get: (key: CelValue) => CelValue | undefined;
  readonly keys: () => readonly CelValue[];
}

/** A map; its values are made when they are read, its keys when the first of them is. */
export class CelMap {
  readonly get: MapEntries['get'];
  readonly #read: MapEntries['keys'];
  #keys: readonly CelValue[] | undefined;

  constructor({ get, keys }: MapEntries) {
    this.get = get;
    this.#read = keys;
  }

  keys(meter: WorkMeter): readonly CelValue[] {
    this.#keys ??= this.#read();
    spend(meter, this.#keys.length * keyWork);
    return this.#keys;
  }
}

/** The identity of a key, or undefined if a value cannot be one. Equal numbers are the same key. */
export function keyIdentity(key: CelValue): string | undefined {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  return typeof key === 'number' && Number.isInteger(key) ? `n${BigInt(key)}` : undefined;
}

/** A map of given entries, by the identities of their keys. */
export function mapFrom(entries: ReadonlyMap<string, readonly [key: CelValue, value: CelValue]>): CelMap {
  return new CelMap({
    get: (key) => entries.get(keyIdentity(key) ?? '')?.[1],
    keys: () => [...entries.values()].map(([key]) => key),
  });
}

/** An object of a schema. */
export class CelObject {
  readonly type: CelType;
  /** The value of a field by its name in expressions; undefined if it is not set. */
  readonly get: (field: string) => CelValue | undefined;
  readonly fields: () => readonly string[];

  constructor(type: CelType, get: CelObject['get'], fields: CelObject['fields']) {
    this.type = type;
    this.get = get;
    this.fields = fields;
  }
}

/** A point in time, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A span of time in nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A value that may be missing: undefined. */
export class Optional {
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }
}

/** A type as a value. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a library. Equal ones have the same type and the same identity. */
export class Opaque {
  readonly type: string;
  readonly identity: string;
  readonly content: unknown;

  constructor(type: string, identity: string, content: unknown) {
    this.type = type;
    this.identity = identity;
    this.content = content;
  }
}

/** The name of the type of a value. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return 'null_type';
  return typeof value === 'object' ? objectTypeName(value) : (scalarNames[typeof value] ?? 'dyn');
}

const scalarNames: Readonly<Record<string, string>> = {
  bigint: 'int',
  boolean: 'bool',
  number: 'double',
  string: 'string',
};

const classNames: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [Uint, 'uint'],
  [Uint8Array, 'bytes'],
  [CelList, 'list'],
  [CelMap, 'map'],
  [Timestamp, 'google.protobuf.Timestamp'],
  [Duration, 'google.protobuf.Duration'],
  [Optional, 'optional_type'],
  [TypeValue, 'type'],
  [Failure, 'error'],
]);

function objectTypeName(value: object): string {
  if (value instanceof Opaque) return value.type;
  if (value instanceof CelObject) return value.type.kind === 'object' ? value.type.name : 'object';
  return classNames.get(value.constructor) ?? 'bytes';
}

/** The number of characters, bytes, items or entries of a value; undefined for others. */
export function sizeOf(meter: WorkMeter, value: CelValue): number | undefined {
  if (typeof value === 'string') return characterCount(meter, value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelList) return value.size;
  if (value instanceof CelMap) return value.keys(meter).length;
  return value instanceof CelObject ? fieldsOf(meter, value).length : undefined;
}

/** The fields of an object that are set. */
export function fieldsOf(meter: WorkMeter, object: CelObject): readonly string[] {
  const fields = object.fields();
  spend(meter, fields.length * keyWork);
  return fields;
}

const surrogate = /[\uD800-\uDBFF]/;

/** Reports whether a text has characters of two units. */
export function hasPairs(meter: WorkMeter, text: string): boolean {
  spend(meter, text.length >> 3);
  return surrogate.test(text);
}

/** The number of code points of a text. */
function characterCount(meter: WorkMeter, text: string): number {
  if (!hasPairs(meter, text)) return text.length;
  spend(meter, text.length);
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    if (isLead(text.charCodeAt(index)) && isTrail(text.charCodeAt(index + 1))) count++;
  }
  return text.length - count;
}

function isLead(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc_00 && unit <= 0xdf_ff;
}
