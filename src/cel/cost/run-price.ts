import { CelList, CelMap, CelObject, type CelValue, fieldsOf, Opaque, sizeOf } from '../values/cel-value.ts';
import { spend, visitWork, type WorkMeter } from '../values/work-meter.ts';
import { authorizationCost, makeCost, perCharacter, perPatternCharacter } from './factors.ts';

/** The cost of a call with these arguments, of which the first two count. */
type RunPrice = (meter: WorkMeter, first?: CelValue, second?: CelValue) => number;

/** The price of a function or operator, before it is called. Those without one cost 1. */
export function runPriceOf(name: string): RunPrice {
  return prices.get(baseName(name)) ?? once;
}

/** The price of the result of a function, if it has one. */
export function resultPriceOf(name: string): ((result: CelValue) => number) | undefined {
  return resultPrices[baseName(name)];
}

/** The price of creating a list of a size. */
function listPrice(count: number): number {
  return 1 + makeCost.list + Math.trunc(count);
}

function madeList(result: CelValue): number {
  return listPrice(result instanceof CelList ? result.size : 1);
}

const resultPrices: Readonly<Record<string, (result: CelValue) => number>> = {
  join: (result) => characters(typeof result === 'string' ? result.length * 2 : 2),
  'lists.range': madeList,
  reverse: madeList,
  slice: madeList,
};

function baseName(name: string): string {
  return name.replace(/^\./, '');
}

/** Costs 1, however long the texts are that it reads: they are taken from the meter. */
const once: RunPrice = (meter, first, second) => {
  const units = lengthOf(first) + lengthOf(second);
  if (units > 0) spend(meter, units / 2);
  return 1;
};

function lengthOf(value: CelValue | undefined): number {
  if (typeof value === 'string') return value.length;
  return value instanceof Opaque ? value.identity.length : 0;
}

/** The size of a value. The size of a text is counted in units of UTF-16, which is faster. */
function size(meter: WorkMeter, value: CelValue | undefined): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 1;
  if (value instanceof Opaque) return opaqueSize(value);
  return sizeOf(meter, value) ?? 1;
}

/** The bytes of an IP address, or of the prefix of a network. */
function opaqueSize({ type, identity }: Opaque): number {
  if (type === 'net.CIDR') return Math.ceil(Number(identity.slice(identity.indexOf('/') + 1)) / 8);
  if (type !== 'net.IP') return 1;
  return identity.includes(':') ? 16 : 4;
}

function characters(count: number): number {
  return Math.ceil(count * perCharacter);
}

/** The price of reading the first argument. */
function reading(times = 1): RunPrice {
  return (meter, first) => characters(size(meter, first) * times);
}

/** The price of comparing two values: the smaller one decides. */
const comparing: RunPrice = (meter, left, right) =>
  characters(Math.min(comparedSize(meter, left), comparedSize(meter, right)));

/** The size of a value in comparisons, at least 1 for addresses and networks. */
function comparedSize(meter: WorkMeter, value: CelValue | undefined): number {
  const units = size(meter, value);
  return value instanceof Opaque ? Math.max(1, units) : units;
}

/** The price of a pattern, which is guessed from its length. */
const matching: RunPrice = (meter, text, pattern) =>
  characters(1 + size(meter, text)) * Math.ceil(size(meter, pattern) * perPatternCharacter);

/** The price of all values in a value. */
function traversal(meter: WorkMeter, value: CelValue): number {
  spend(meter, visitWork);
  if (typeof value === 'string') {
    spend(meter, value.length >> 3);
    return Math.trunc(Buffer.byteLength(value) * perCharacter);
  }
  if (value instanceof Uint8Array) return Math.trunc(value.length * perCharacter);
  let sum = 0;
  const add = (part: CelValue | undefined): void => void (sum += traversal(meter, part ?? null));
  if (value instanceof CelList) for (let index = 0; index < value.size; index++) add(value.at(index));
  else if (value instanceof CelMap) {
    for (const key of value.keys(meter)) {
      add(key);
      add(value.get(key));
    }
  } else if (value instanceof CelObject) for (const field of fieldsOf(meter, value)) add(value.get(field));
  else return 1;
  return sum;
}

const traversing: RunPrice = (meter, list) => traversal(meter, list ?? null);

/** The price of looking for each item of one list in another. */
const crossing: RunPrice = (meter, left, right) => 1 + size(meter, left) * size(meter, right);

const containsNetwork: RunPrice = (meter, network, other) => {
  const bytes = size(meter, network);
  const text = typeof other === 'string' ? characters(other.length) : 0;
  return characters(2 * bytes) + characters(bytes) + 1 + text;
};

const containsAddress: RunPrice = (meter, network, other) =>
  characters(2 * size(meter, network)) + (typeof other === 'string' ? characters(other.length) : 0);

/** The price of comparing all items of a list with each other. */
const comparingAll: RunPrice = (meter, list) => {
  const count = size(meter, list);
  const first = list instanceof CelList && count > 0 ? list.at(0) : null;
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return listPrice((isText ? 2 + perCharacter : 2) * count * count);
};

/** The price of parsing a selector, in which each requirement has at least two characters. */
const selecting: RunPrice = (meter, _, selector) => {
  const count = size(meter, selector);
  return makeCost.list + characters(count) + Math.ceil(count / 2) * (makeCost.list + makeCost.struct);
};

/** The costs of the patterns of named formats; others, such as short labels, cost the least. */
const formatCosts: Readonly<Record<string, number>> = {
  dns1123Subdomain: 15,
  dns1123SubdomainPrefix: 15,
  qualifiedName: 15,
  labelValue: 10,
  uri: 276,
  uuid: 18,
  byte: 21,
  date: 18,
  datetime: 18,
};
const labelFormatCost = 8;

const validating: RunPrice = (meter, format, text) => {
  const name = format instanceof Opaque ? format.identity : '';
  return characters(1 + size(meter, text)) * (formatCosts[name] ?? labelFormatCost);
};

const rows: readonly (readonly [names: string, price: RunPrice])[] = [
  ['check', () => authorizationCost],
  ['fieldSelector labelSelector', selecting],
  ['distinct sort', comparingAll],
  ['@sortByAssociatedKeys', (meter, _, keys) => comparingAll(meter, keys)],
  [
    'flatten',
    (meter, list, depth) => listPrice(size(meter, list) * (typeof depth === 'bigint' ? Math.max(0, Number(depth)) : 1)),
  ],
  ['lists.range reverse slice', () => 0],
  ['_==_ _!=_ _<_ _<=_ _>_ _>=_', comparing],
  [
    '_+_',
    (meter, left, right) =>
      typeof left === 'string' || left instanceof Uint8Array ? characters(left.length + size(meter, right)) : 1,
  ],
  ['@in', (_, __, container) => (container instanceof CelList ? container.size : 1)],
  ['startsWith endsWith', reading()],
  ['contains', (meter, text, part) => characters(size(meter, text)) * characters(size(meter, part))],
  ['matches find findAll', matching],
  [
    'bytes string',
    (_, value) => (typeof value === 'string' || value instanceof Uint8Array ? characters(value.length) : 1),
  ],
  ['isSorted sum max min indexOf lastIndexOf', traversing],
  ['url lowerAscii upperAscii substring trim jsonpatch.escapeKey', reading()],
  ['replace split', reading(2)],
  ['join', () => 0],
  ['format', reading()],
  ['strings.quote', reading()],
  ['cidr isIP isCIDR quantity isQuantity semver isSemver', reading()],
  ['ip', (meter, value) => (value instanceof Opaque ? 1 : characters(size(meter, value)))],
  ['ip.isCanonical', reading(2)],
  ['containsIP', containsAddress],
  ['containsCIDR', containsNetwork],
  ['validate', validating],
  ['sets.contains sets.intersects', crossing],
  ['sets.equivalent', (meter, left, right) => 1 + 2 * (crossing(meter, left, right) - 1)],
];

/** The prices by function name. */
const prices: ReadonlyMap<string, RunPrice> = new Map(
  rows.flatMap(([names, price]) => names.split(' ').map((name) => [name, price] as const)),
);
