import { CelList, type CelValue, Failure, itemsOf, listFrom, typeNameOf } from '../values/cel-value.ts';
import { compareCel, equalCel } from '../values/equality.ts';
import { keptWork, spend, visitWork, type WorkMeter } from '../values/work-meter.ts';
import { type Library, Metered } from './library.ts';

const ordered = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

function slice(list: CelList, start: bigint, end: bigint): CelValue {
  const wrong = wrongSlice(list, start, end);
  if (wrong !== undefined) return new Failure(`cannot slice(${start}, ${end}), ${wrong}`);
  const first = Number(start);
  return new CelList(Number(end) - first, (index) => list.at(first + index));
}

function wrongSlice({ size }: CelList, start: bigint, end: bigint): string | undefined {
  if (start < 0n || end < 0n) return 'negative indexes not supported';
  if (start > end) return 'start index must be less than or equal to end index';
  return end > BigInt(size) ? `list is length ${size}` : undefined;
}

function flatten(meter: WorkMeter, list: CelList, depth = 1n): CelValue {
  if (depth < 0n) return new Failure('level must be non-negative');
  const items: CelValue[] = [];
  collect(meter, list, Number(depth), items);
  return listFrom(items);
}

function collect(meter: WorkMeter, list: CelList, depth: number, items: CelValue[]): void {
  for (const item of itemsOf(meter, list, keptWork)) {
    if (item instanceof CelList && depth > 0) collect(meter, item, depth - 1, items);
    else items.push(item);
  }
}

/** Sorts items by a list of keys, one for each item. */
function sortBy(meter: WorkMeter, list: CelList, keyList: CelList): CelValue {
  if (list.size !== keyList.size) {
    return new Failure(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keyList.size} elements respectively`,
    );
  }
  const keys = itemsOf(meter, keyList, keptWork);
  const [first = null] = keys;
  if (keys.some((key) => typeNameOf(key) !== typeNameOf(first))) {
    return new Failure('list elements must have the same type');
  }
  if (keys.some((key) => compareCel(key, key) === undefined)) return new Failure('list elements must be comparable');
  spend(meter, keys.length * Math.ceil(Math.log2(keys.length + 1)) * visitWork);
  const order = keys.map((_, index) => index);
  order.sort((a, b) => compareCel(keys[a] ?? null, keys[b] ?? null) || 0);
  return listFrom(order.map((index) => list.at(index)));
}

/** The items without later duplicates. */
function distinct(meter: WorkMeter, list: CelList): CelValue {
  const kept: CelValue[] = [];
  for (const item of itemsOf(meter, list, keptWork)) {
    if (!kept.some((other) => equalCel(meter, item, other))) kept.push(item);
  }
  return listFrom(kept);
}

function range(count: bigint): CelList {
  return new CelList(Math.max(0, Number(count)), BigInt);
}

/** The list extension library of CEL. */
export const listExtensions: Library = {
  functions: [['lists.range(int): list<int>', range]],
  methods: [
    ['slice(list<A>, int, int): list<A>', slice],
    ['flatten(list<list<A>>): list<A>', new Metered(flatten)],
    ['flatten(list<dyn>, int): list<dyn>', new Metered(flatten)],
    ...ordered.map(
      (type) =>
        [
          `sort(list<${type}>): list<${type}>`,
          new Metered((meter, list: CelList) => sortBy(meter, list, list)),
        ] as const,
    ),
    ...ordered.map((type) => [`@sortByAssociatedKeys(list<A>, list<${type}>): list<A>`, new Metered(sortBy)] as const),
    ['reverse(list<A>): list<A>', (list: CelList) => new CelList(list.size, (index) => list.at(list.size - 1 - index))],
    ['distinct(list<A>): list<A>', new Metered(distinct)],
  ],
};
