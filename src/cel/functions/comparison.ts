import {
  type CelList,
  type CelMap,
  type CelValue,
  Failure,
  keyIdentity,
  sizeOf,
  TypeValue,
  typeNameOf,
  Uint,
} from '../values/cel-value.ts';
import { compareCel, equalCel } from '../values/equality.ts';
import { failures } from './failures.ts';
import type { Library } from './library.ts';

const ordered = ['bool', 'string', 'bytes', 'timestamp', 'duration'];
const numbers = ['int', 'uint', 'double'];
const pairs = [
  ...ordered.map((type) => [type, type] as const),
  ...numbers.flatMap((left) => numbers.map((right) => [left, right] as const)),
];

const operators: readonly (readonly [name: string, holds: (order: number) => boolean])[] = [
  ['_<_', (order) => order < 0],
  ['_<=_', (order) => order <= 0],
  ['_>_', (order) => order > 0],
  ['_>=_', (order) => order >= 0],
];

function contains(item: CelValue, list: CelList): boolean {
  for (let index = 0; index < list.size; index++) if (equalCel(item, list.at(index))) return true;
  return false;
}

/** The item of a list at a number without a fraction. */
export function itemAt(list: CelList, key: CelValue): CelValue {
  const index = indexOf(key);
  if (index === undefined) return failures.noOverload;
  return index < 0 || index >= list.size ? new Failure(`index out of bounds: ${index}`) : list.at(index);
}

/** A whole number as an index; undefined for other values. */
function indexOf(key: CelValue): number | undefined {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof Uint) return Number(key.value);
  return typeof key === 'number' && Number.isInteger(key) ? key : undefined;
}

/** The value of a key in a map. */
export function valueAt(map: CelMap, key: CelValue): CelValue {
  return map.get(key) ?? missingKey(map, key);
}

function missingKey(map: CelMap, key: CelValue): CelValue {
  if (map.get(key) === null) return null;
  const identity = keyIdentity(key);
  return identity === undefined ? failures.noOverload : new Failure(`no such key: ${identity.slice(1)}`);
}

/** Equality, order, membership and size. */
export const comparison: Library = {
  functions: [
    ['_==_(A, A): bool', equalCel],
    ['_!=_(A, A): bool', (a: CelValue, b: CelValue) => !equalCel(a, b)],
    ...operators.flatMap(([name, holds]) =>
      pairs.map(
        ([left, right]) =>
          [`${name}(${left}, ${right}): bool`, (a: CelValue, b: CelValue) => holds(compareCel(a, b) ?? NaN)] as const,
      ),
    ),
    ['@in(A, list<A>): bool', contains],
    ['@in(A, map<A, B>): bool', (key: CelValue, map: CelMap) => map.get(key) !== undefined],
    ['_[_](list<A>, int): A', itemAt],
    ['_[_](map<A, B>, A): B', valueAt],
    ['size(string): int', sizeAsInt],
    ['size(bytes): int', sizeAsInt],
    ['size(list<A>): int', sizeAsInt],
    ['size(map<A, B>): int', sizeAsInt],
    ['type(A): type<A>', (value: CelValue) => new TypeValue(typeNameOf(value))],
    ['dyn(A): dyn', (value: CelValue) => value],
  ],
  methods: [
    ['size(string): int', sizeAsInt],
    ['size(bytes): int', sizeAsInt],
    ['size(list<A>): int', sizeAsInt],
    ['size(map<A, B>): int', sizeAsInt],
  ],
};

function sizeAsInt(value: CelValue): bigint {
  return BigInt(sizeOf(value) ?? 0);
}
