import { CelList, CelMap, CelObject, type CelValue, Opaque, sizeOf } from '../values/cel-value.ts';
import { perCharacter, perPatternCharacter } from './factors.ts';

/** The cost of a call with these arguments and this result. */
type RunPrice = (result: CelValue, first?: CelValue, second?: CelValue) => number;

/** The price of a function or operator. Those without one cost 1. */
export function runPriceOf(name: string): RunPrice {
  return prices.get(name.replace(/^\./, '')) ?? one;
}

function one(): number {
  return 1;
}

/** The size of a value. That of a text is counted in units of UTF-16, which is faster. */
function size(value: CelValue | undefined): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 1;
  if (value instanceof Opaque) return opaqueSize(value);
  return sizeOf(value) ?? 1;
}

/** The bytes of an address. */
function opaqueSize({ type, identity }: Opaque): number {
  if (type !== 'net.IP' && type !== 'net.CIDR') return 1;
  return identity.includes(':') ? 16 : 4;
}

function characters(count: number): number {
  return Math.ceil(count * perCharacter);
}

/** The price of reading the first argument. */
function reading(times = 1): RunPrice {
  return (_, first) => characters(size(first) * times);
}

/** The price of comparing two values: the smaller one decides. */
const comparing: RunPrice = (_, left, right) => characters(Math.min(size(left), size(right)));

/** The price of a pattern, which is guessed from its length. */
const matching: RunPrice = (_, text, pattern) =>
  characters(1 + size(text)) * Math.ceil(size(pattern) * perPatternCharacter);

/** The price of all values in a value. */
function traversal(value: CelValue): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return Math.trunc(value.length * perCharacter);
  if (value instanceof CelList) {
    let sum = 0;
    for (let index = 0; index < value.size; index++) sum += traversal(value.at(index));
    return sum;
  }
  if (value instanceof CelMap) {
    return value.keys().reduce<number>((sum, key) => sum + traversal(key) + traversal(value.get(key) ?? null), 0);
  }
  if (!(value instanceof CelObject)) return 1;
  return value.fields().reduce((sum, field) => sum + traversal(value.get(field) ?? null), 0);
}

const traversing: RunPrice = (_, list) => traversal(list ?? null);

/** The price of looking for each item of one list in another. */
const crossing: RunPrice = (_, left, right) => 1 + size(left) * size(right);

const containsNetwork: RunPrice = (_, network, other) => {
  const bytes = size(network);
  const text = typeof other === 'string' ? characters(other.length) : 0;
  return characters(2 * bytes) + characters(bytes) + 1 + text;
};

const containsAddress: RunPrice = (_, network, other) =>
  characters(2 * size(network)) + (typeof other === 'string' ? characters(other.length) : 0);

const rows: readonly (readonly [names: string, price: RunPrice])[] = [
  ['_==_ _!=_ _<_ _<=_ _>_ _>=_', comparing],
  [
    '_+_',
    (_, left, right) =>
      typeof left === 'string' || left instanceof Uint8Array ? characters(size(left) + size(right)) : 1,
  ],
  ['@in', (_, __, container) => (container instanceof CelList ? container.size : 1)],
  ['startsWith endsWith', (_, __, part) => characters(size(part))],
  ['contains', (_, text, part) => characters(size(text)) * characters(size(part))],
  ['matches find findAll', matching],
  [
    'bytes string',
    (_, value) => (typeof value === 'string' || value instanceof Uint8Array ? characters(size(value)) : 1),
  ],
  ['isSorted sum max min indexOf lastIndexOf', traversing],
  ['url lowerAscii upperAscii substring trim isURL', reading()],
  ['replace split', reading(2)],
  ['join', (result) => characters(size(result) * 2)],
  ['format', reading()],
  ['strings.quote', reading()],
  ['cidr isIP isCIDR quantity isQuantity semver isSemver', reading()],
  ['ip', (_, value) => (value instanceof Opaque ? 1 : characters(size(value)))],
  ['ip.isCanonical', reading(2)],
  ['containsIP', containsAddress],
  ['containsCIDR', containsNetwork],
  ['validate', (_, __, text) => characters(size(text)) * 32],
  ['sets.contains sets.intersects', crossing],
  ['sets.equivalent', (result, left, right) => 1 + 2 * (crossing(result, left, right) - 1)],
  ['cel.@mapInsert', (_, map) => 1 + size(map)],
];

/** By name. */
const prices: ReadonlyMap<string, RunPrice> = new Map(
  rows.flatMap(([names, price]) => names.split(' ').map((name) => [name, price] as const)),
);
