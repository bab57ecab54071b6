import { type CelList, type CelValue, Duration, Failure, Uint } from '../values/cel-value.ts';
import { compareCel, equalCel } from '../values/equality.ts';
import { spend, visitWork, type WorkMeter } from '../values/work-meter.ts';
import { type FunctionTable, type Library, Metered, type Overload } from './library.ts';
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
    if (list.size === 0) return new Failure(`${name} called on empty list`);
    let found = list.at(0);
    for (let index = 1; index < list.size; index++) {
      const item = list.at(index);
      const order = compareCel(item, found);
      if (order === undefined) return failures.noOverload;
      if (isBefore(order)) found = item;
    }
    return found;
  };
}

/** The index of the first item that is equal, or -1. */
function indexOf(meter: WorkMeter, list: CelList, item: CelValue): bigint {
  for (let index = 0; index < list.size; index++) if (equalCel(meter, list.at(index), item)) return BigInt(index);
  return -1n;
}

function lastIndexOf(meter: WorkMeter, list: CelList, item: CelValue): bigint {
  for (let index = list.size - 1; index >= 0; index--) if (equalCel(meter, list.at(index), item)) return BigInt(index);
  return -1n;
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
        return [
          `sum(list<${type}>): ${type}`,
          new Metered((meter, list: CelList) => sum(meter, list, zero, add)),
        ] as const;
      }),
      ['indexOf(list<A>, A): int', new Metered(indexOf)],
      ['lastIndexOf(list<A>, A): int', new Metered(lastIndexOf)],
    ],
  };
}

function sum(meter: WorkMeter, list: CelList, zero: CelValue, add: Overload | undefined): CelValue {
  let total = zero;
  for (let index = 0; index < list.size; index++) {
    total = add ? add.run(meter, total, list.at(index)) : failures.noOverload;
    if (total instanceof Failure) return total;
  }
  return total;
}

/** Reports whether a list has an item. */
export function hasItem(meter: WorkMeter, list: CelList, item: CelValue): boolean {
  for (let index = 0; index < list.size; index++) if (equalCel(meter, item, list.at(index))) return true;
  return false;
}

/** Reports whether a list has every item of another one. */
function containsAll(meter: WorkMeter, list: CelList, part: CelList): boolean {
  for (let index = 0; index < part.size; index++) if (!hasItem(meter, list, part.at(index))) return false;
  return true;
}

/** Reports whether a list has any item of another one. */
function intersects(meter: WorkMeter, list: CelList, other: CelList): boolean {
  for (let index = 0; index < other.size; index++) {
    spend(meter, visitWork);
    if (hasItem(meter, list, other.at(index))) return true;
  }
  return false;
}

/** Lists as sets. */
export const sets: Library = {
  functions: [
    ['sets.contains(list<A>, list<A>): bool', new Metered(containsAll)],
    [
      'sets.equivalent(list<A>, list<A>): bool',
      new Metered((meter, a: CelList, b: CelList) => containsAll(meter, a, b) && containsAll(meter, b, a)),
    ],
    ['sets.intersects(list<A>, list<A>): bool', new Metered(intersects)],
  ],
};
