import { CelList, type CelValue, type Failure, itemsOf, listFrom, Uint } from '../values/cel-value.ts';
import { valueIdentity } from '../values/equality.ts';
import { keptWork, type WorkMeter } from '../values/work-meter.ts';
import { failures } from './failures.ts';
import { type Library, Metered } from './library.ts';

const [leastInt, mostInt] = [-(2n ** 63n), 2n ** 63n - 1n];
const mostUint = 2n ** 64n - 1n;

/** An integer, if it fits 64 bits. */
export function checkInt(value: bigint): bigint | Failure {
  return value < leastInt || value > mostInt ? failures.intOverflow : value;
}

/** An unsigned integer, if it fits 64 bits. */
export function checkUint(value: bigint): Uint | Failure {
  return value < 0n || value > mostUint ? failures.uintOverflow : new Uint(value);
}

function joinBytes(left: Uint8Array, right: Uint8Array): Uint8Array {
  return Uint8Array.from(Buffer.concat([left, right]));
}

/** The most lists that a read of a joined one goes through; one that is deeper is copied. */
const deepestJoin = 16;

/**
 * Concatenates lists. In lists without an order, items of the right whose keys the left has replace
 * the items of the left, at their places; the other items are added.
 */
function joinLists(meter: WorkMeter, left: CelList, right: CelList): CelList {
  const { identity } = left;
  const depth = Math.max(depthOf(left), depthOf(right)) + 1;
  if (!identity && depth <= deepestJoin) return new JoinedList(left, right, depth);
  const items = [...itemsOf(meter, left, keptWork), ...itemsOf(meter, right, keptWork)];
  if (!identity) return listFrom(items);
  const joined = [...new Map(items.map((item) => [valueIdentity(meter, identity.keyOf(item)), item])).values()];
  return new CelList(joined.length, (index) => joined[index] ?? null, identity);
}

/** Two lists that are read as one. */
class JoinedList extends CelList {
  readonly depth: number;

  constructor(left: CelList, right: CelList, depth: number) {
    super(left.size + right.size, (index) => (index < left.size ? left.at(index) : right.at(index - left.size)));
    this.depth = depth;
  }
}

function depthOf(list: CelList): number {
  return list instanceof JoinedList ? list.depth : 0;
}

/** Operators on numbers, texts and lists. */
export const arithmetic: Library = {
  functions: [
    ['_+_(int, int): int', (a: bigint, b: bigint) => checkInt(a + b)],
    ['_+_(uint, uint): uint', (a: Uint, b: Uint) => checkUint(a.value + b.value)],
    ['_+_(double, double): double', (a: number, b: number) => a + b],
    ['_+_(string, string): string', (a: string, b: string) => a + b],
    ['_+_(bytes, bytes): bytes', joinBytes],
    ['_+_(list<A>, list<A>): list<A>', new Metered(joinLists)],
    ['_-_(int, int): int', (a: bigint, b: bigint) => checkInt(a - b)],
    ['_-_(uint, uint): uint', (a: Uint, b: Uint) => checkUint(a.value - b.value)],
    ['_-_(double, double): double', (a: number, b: number) => a - b],
    ['_*_(int, int): int', (a: bigint, b: bigint) => checkInt(a * b)],
    ['_*_(uint, uint): uint', (a: Uint, b: Uint) => checkUint(a.value * b.value)],
    ['_*_(double, double): double', (a: number, b: number) => a * b],
    ['_/_(int, int): int', (a: bigint, b: bigint) => (b === 0n ? failures.divisionByZero : checkInt(a / b))],
    [
      '_/_(uint, uint): uint',
      (a: Uint, b: Uint): CelValue => (b.value === 0n ? failures.divisionByZero : new Uint(a.value / b.value)),
    ],
    ['_/_(double, double): double', (a: number, b: number) => a / b],
    // The least integer has no remainder in Go.
    [
      '_%_(int, int): int',
      (a: bigint, b: bigint) => {
        if (b === 0n) return failures.modulusByZero;
        return a === leastInt && b === -1n ? failures.intOverflow : a % b;
      },
    ],
    [
      '_%_(uint, uint): uint',
      (a: Uint, b: Uint): CelValue => (b.value === 0n ? failures.modulusByZero : new Uint(a.value % b.value)),
    ],
    ['-_(int): int', (a: bigint) => checkInt(-a)],
    ['-_(double): double', (a: number) => -a],
    ['!_(bool): bool', (a: boolean) => !a],
    // These do not compute all of their arguments, so that they are no calls.
    ['_&&_(bool, bool): bool', () => failures.noOverload],
    ['_||_(bool, bool): bool', () => failures.noOverload],
    ['_?_:_(bool, A, A): A', () => failures.noOverload],
    ['@not_strictly_false(bool): bool', () => failures.noOverload],
  ],
};
