import { type CelList, type CelValue, Duration, Failure, itemsOf, Uint } from '../values/cel-value.ts';
import { compareCel, equalCel } from '../values/equality.ts';
import type { FunctionTable, Library, Overload } from './library.ts';
import { failures } from './failures.ts';

const ordered = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];
const zeros: readonly (readonly [type: string, zero: CelValue])[] = [
  ['int', 0n],
  ['uint', new Uint(0n)],
  ['double', 0],
  ['duration', new Duration(0n)],
];

function isSorted(list: CelList): CelValue {
  for (let index = 1; index < list.size; index++) {
    const order = compareCel(list.at(index - 1), list.at(index));
    if (order === undefined) return failures.noOverload;
    if (order > 0) return false;
  }
  return true;
}

/** The item that comes before all others in an order. */
function extreme(name: string, isBefore: (order: number) => boolean): (list: CelList) => CelValue {
  return (list) => {
    const [first, ...rest] = itemsOf(list);
    if (first === undefined) return new Failure(`${name} called on empty list`);
    let found = first;
    for (const item of rest) {
      const order = compareCel(item, found);
      if (order === undefined) return failures.noOverload;
      if (isBefore(order)) found = item;
    }
    return found;
  };
}

/** The index of the first item that is equal, or -1. */
function indexOf(list: CelList, item: CelValue): bigint {
  return BigInt(itemsOf(list).findIndex((other) => equalCel(other, item)));
}

function lastIndexOf(list: CelList, item: CelValue): bigint {
  return BigInt(itemsOf(list).findLastIndex((other) => equalCel(other, item)));
}

/** The functions of Kubernetes for lists. `sum` adds with the operators of `table`. */
export function listsOver(table: FunctionTable): Library {
  const additions = table.get('_+_') ?? [];
  return {
    methods: [
      ...ordered.map((type) => [`isSorted(list<${type}>): bool`, isSorted] as const),
      ...ordered.map((type) => [`min(list<${type}>): ${type}`, extreme('min', (order) => order < 0)] as const),
      ...ordered.map((type) => [`max(list<${type}>): ${type}`, extreme('max', (order) => order > 0)] as const),
      ...zeros.map(([type, zero]) => {
        const add = additions.find(({ parameters }) => parameters.every(({ kind }) => kind === type));
        return [`sum(list<${type}>): ${type}`, (list: CelList) => sum(list, zero, add)] as const;
      }),
      ['indexOf(list<A>, A): int', indexOf],
      ['lastIndexOf(list<A>, A): int', lastIndexOf],
    ],
  };
}

function sum(list: CelList, zero: CelValue, add: Overload | undefined): CelValue {
  let total = zero;
  for (const item of itemsOf(list)) {
    total = add ? add.run(total, item) : failures.noOverload;
    if (total instanceof Failure) return total;
  }
  return total;
}

/** Reports whether a list has every item of another one. */
function containsAll(list: CelList, part: CelList): boolean {
  const items = itemsOf(list);
  return itemsOf(part).every((item) => items.some((other) => equalCel(item, other)));
}

/** Lists as sets. */
export const sets: Library = {
  functions: [
    ['sets.contains(list<A>, list<A>): bool', containsAll],
    ['sets.equivalent(list<A>, list<A>): bool', (a: CelList, b: CelList) => containsAll(a, b) && containsAll(b, a)],
    [
      'sets.intersects(list<A>, list<A>): bool',
      (a: CelList, b: CelList) => {
        const items = itemsOf(a);
        return itemsOf(b).some((item) => items.some((other) => equalCel(item, other)));
      },
    ],
  ],
};
