import {
  CelList,
  CelMap,
  CelObject,
  type CelValue,
  Duration,
  Failure,
  listFrom,
  Optional,
  sizeOf,
  Timestamp,
  Uint,
} from '../values/cel-value.ts';
import { parseTimestamp } from '../values/timestamp.ts';
import { itemAt, noPart, valueAt } from './comparison.ts';
import { spend, visitWork, type WorkMeter } from '../values/work-meter.ts';
import { type Library, Metered } from './library.ts';

const none = new Optional(undefined);

/** The part of a value that a key or field selects, if it has one. */
export function optionalPart(value: CelValue, key: CelValue): CelValue {
  if (value instanceof Optional) return value.value === undefined ? none : optionalPart(value.value, key);
  if (value instanceof CelObject) return new Optional(typeof key === 'string' ? value.get(key) : undefined);
  if (value instanceof CelMap) return new Optional(value.get(key));
  // Other values have no entries or fields.
  if (!(value instanceof CelList)) return none;
  const item = itemAt(value, key);
  return item instanceof Failure && item.message.startsWith('index') ? none : wrap(item);
}

function wrap(value: CelValue): CelValue {
  return value instanceof Failure ? value : new Optional(value);
}

function ofNonZero(meter: WorkMeter, value: CelValue): Optional {
  return isZero(value) || (sizeOf(meter, value) ?? 1) === 0 ? none : new Optional(value);
}

/** The earliest timestamp, which is the zero value. */
const firstNanos = parseTimestamp('0001-01-01T00:00:00Z');

function isZero(value: CelValue): boolean {
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === firstNanos;
  return value === null || value === false || value === 0 || value === 0n;
}

/** Values that may be missing. Those in calls are made by `optionalPart`. */
export const optionals: Library = {
  functions: [
    ['optional.of(A): optional<A>', (value: CelValue) => new Optional(value)],
    ['optional.ofNonZeroValue(A): optional<A>', new Metered(ofNonZero)],
    ['optional.none(): optional<A>', () => none],
    ['_[?_](list<A>, int): optional<A>', optionalPart],
    ['_[?_](map<A, B>, A): optional<B>', optionalPart],
    ['_[?_](optional<list<A>>, int): optional<A>', optionalPart],
    ['_[?_](optional<map<A, B>>, A): optional<B>', optionalPart],
    ['_[_](optional<list<A>>, int): optional<A>', optionalPart],
    ['_[_](optional<map<A, B>>, A): optional<B>', optionalPart],
  ],
  methods: [
    ['hasValue(optional<A>): bool', ({ value }: Optional) => value !== undefined],
    [
      'value(optional<A>): A',
      ({ value }: Optional) => (value === undefined ? new Failure('optional.none() dereference') : value),
    ],
    [
      'or(optional<A>, optional<A>): optional<A>',
      (value: Optional, other: Optional) => (value.value === undefined ? other : value),
    ],
    ['orValue(optional<A>, A): A', ({ value }: Optional, other: CelValue) => (value === undefined ? other : value)],
  ],
};

/** Functions for optional values in lists. */
export const optionalItems: Library = {
  functions: [['optional.unwrap(list<optional<A>>): list<A>', new Metered(unwrap)]],
  methods: [
    ['unwrapOpt(list<optional<A>>): list<A>', new Metered(unwrap)],
    ['first(list<A>): optional<A>', (list: CelList) => optionalPart(list, 0n)],
    ['last(list<A>): optional<A>', (list: CelList) => optionalPart(list, BigInt(list.size - 1))],
  ],
};

function unwrap(meter: WorkMeter, list: CelList): CelValue {
  const items: CelValue[] = [];
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index);
    spend(meter, visitWork);
    if (item instanceof Optional && item.value !== undefined) items.push(item.value);
  }
  return listFrom(items);
}

/** The part of a value that must be there. */
export function partOf(value: CelValue, key: CelValue): CelValue {
  if (value instanceof CelList) return itemAt(value, key);
  if (value instanceof CelMap) return valueAt(value, key);
  return value instanceof Optional ? optionalPart(value, key) : noPart(key);
}
