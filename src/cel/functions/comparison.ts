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
import type { WorkMeter } from '../values/work-meter.ts';
import { failures } from './failures.ts';
import { type Library, Metered } from './library.ts';
import { hasItem } from './lists.ts';

const ordered = ['bool', 'string', 'bytes', 'timestamp', 'duration'];
const numbers = ['int', 'uint', 'double'];
const samePairs = [...ordered, ...numbers].map((type) => [type, type] as const);
const mixedPairs = numbers.flatMap((left) =>
  numbers.filter((right) => right !== left).map((right) => [left, right] as const),
);

const operators: readonly (readonly [name: string, holds: (order: number) => boolean])[] = [
  ['_<_', (order) => order < 0],
  ['_<=_', (order) => order <= 0],
  ['_>_', (order) => order > 0],
  ['_>=_', (order) => order >= 0],
];

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
  return map.get(key) === null ? null : noPart(key);
}

/** The error of reading an entry or field that a value does not have. */
export function noPart(key: CelValue): Failure {
  const identity = keyIdentity(key);
  return identity === undefined ? failures.noOverload : new Failure(`no such key: ${identity.slice(1)}`);
}

function comparisonsOf(pairs: readonly (readonly [left: string, right: string])[]): NonNullable<Library['functions']> {
  return operators.flatMap(([name, holds]) =>
    pairs.map(
      ([left, right]) =>
        [`${name}(${left}, ${right}): bool`, (a: CelValue, b: CelValue) => holds(compareCel(a, b) ?? NaN)] as const,
    ),
  );
}

/** The comparisons of numbers of different types. */
export const mixedComparison: Library = { functions: comparisonsOf(mixedPairs) };

const size = new Metered((meter: WorkMeter, value: CelValue) => BigInt(sizeOf(meter, value) ?? 0));

/** Equality, order, membership and size. */
export const comparison: Library = {
  functions: [
    ['_==_(A, A): bool', new Metered(equalCel)],
    ['_!=_(A, A): bool', new Metered((meter, a: CelValue, b: CelValue) => !equalCel(meter, a, b))],
    ...comparisonsOf(samePairs),
    ['@in(A, list<A>): bool', new Metered((meter, item: CelValue, list: CelList) => hasItem(meter, list, item))],
    ['@in(A, map<A, B>): bool', (key: CelValue, map: CelMap) => map.get(key) !== undefined],
    ['_[_](list<A>, int): A', itemAt],
    ['_[_](map<A, B>, A): B', valueAt],
    ['size(string): int', size],
    ['size(bytes): int', size],
    ['size(list<A>): int', size],
    ['size(map<A, B>): int', size],
    ['type(A): type<A>', (value: CelValue) => new TypeValue(typeNameOf(value))],
    ['dyn(A): dyn', (value: CelValue) => value],
  ],
  methods: [
    ['size(string): int', size],
    ['size(bytes): int', size],
    ['size(list<A>): int', size],
    ['size(map<A, B>): int', size],
  ],
};
