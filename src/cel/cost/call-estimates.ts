import { libraryTypes } from '../../identifiers/expression-types.ts';
import type { LiteralValue } from '../syntax/syntax-tree.ts';
import type { CelType } from '../types/cel-type.ts';
import { add, anySize, type CostRange, exactly, multiply, timesFactor, unbounded, union } from './cost-range.ts';
import { authorizationCost, makeCost, perCharacter, perPatternCharacter } from './factors.ts';

/** A call whose cost is estimated. A method has its receiver as `target`. */
interface EstimatedCall {
  readonly target: CostRange | undefined;
  readonly targetType: CelType | undefined;
  /** The size of the items of the target, if it is a list of texts. */
  readonly targetItems: CostRange | undefined;
  readonly args: readonly CostRange[];
  readonly argTypes: readonly CelType[];
  /** The values of arguments that are literals. */
  readonly literals: readonly (LiteralValue | undefined)[];
  /** The types of one signature, the type of the receiver first. */
  readonly parameters: readonly CelType[];
}

/**
 * The cost of a call without the cost of its arguments, and the size of its result if it is known.
 */
export interface CallEstimate {
  readonly cost: CostRange;
  readonly size?: CostRange;
}

type Estimate = (call: EstimatedCall) => CallEstimate;

const one = exactly(1);

/** Estimates a call. Functions without a row cost 1. */
export function estimateCall(name: string, call: EstimatedCall): CallEstimate {
  return (estimates.get(name) ?? constant)(call);
}

function constant(): CallEstimate {
  return { cost: one };
}

function argument({ args }: EstimatedCall, index: number): CostRange {
  return args[index] ?? anySize;
}

function receiver({ target }: EstimatedCall): CostRange {
  return target ?? anySize;
}

/** The cost of the shorter one of two values. */
function comparing(call: EstimatedCall): CallEstimate {
  const max = Math.min(argument(call, 0).max, argument(call, 1).max);
  return { cost: timesFactor({ min: max > 0 ? 1 : 0, max }, perCharacter) };
}

/** The names of types whose values have a fixed size, so that their equality costs 1. */
const fixedSizes: ReadonlySet<string> = new Set([
  `${libraryTypes}Quantity`,
  `${libraryTypes}Semver`,
  'net.CIDR',
  'net.IP',
]);

/**
 * The cost of equality. URLs are compared by their text, formats and those whose text is not known
 * count as one unit.
 */
function equating(call: EstimatedCall): CallEstimate {
  const [left, right] = call.argTypes;
  if (left?.kind !== 'opaque' || right?.kind !== 'opaque' || left.name !== right.name) return comparing(call);
  if (fixedSizes.has(left.name)) return { cost: one };
  const sizes = call.args.map(({ max }) => max).filter((max) => max < unbounded);
  return { cost: { min: 1, max: timesFactor(exactly(Math.max(1, ...sizes)), perCharacter).max } };
}

/** The value of an optional one, or another in its place. */
function alternative(call: EstimatedCall): CallEstimate {
  return { cost: one, size: union(receiver(call), argument(call, 0)) };
}

/** Reports whether a signature begins with one of some kinds. */
function isOf({ parameters }: EstimatedCall, ...kinds: readonly CelType['kind'][]): boolean {
  const [first] = parameters;
  return first !== undefined && kinds.includes(first.kind);
}

function ordering(call: EstimatedCall): CallEstimate {
  return isOf(call, 'string', 'bytes') ? comparing(call) : { cost: one };
}

function concatenating(call: EstimatedCall): CallEstimate {
  if (!isOf(call, 'string', 'bytes', 'list')) return { cost: one };
  const size = add(argument(call, 0), argument(call, 1));
  return { cost: isOf(call, 'list') ? one : timesFactor(size, perCharacter), size };
}

function matching(text: CostRange, pattern: CostRange): CostRange {
  return multiply(timesFactor(add(text, one), perCharacter), timesFactor(pattern, perPatternCharacter));
}

function traversing(call: EstimatedCall): CallEstimate {
  if (call.targetType?.kind !== 'list') return { cost: timesFactor(receiver(call), perCharacter) };
  const item = call.targetItems ? add(one, timesFactor(call.targetItems, perCharacter)) : one;
  return { cost: multiply(receiver(call), item) };
}

function sameSize(call: EstimatedCall): CallEstimate {
  return { cost: timesFactor(receiver(call), perCharacter), size: receiver(call) };
}

/** The most and the least that a replacement can leave. */
function replacing(call: EstimatedCall): CallEstimate {
  const [text, part, other] = [receiver(call), argument(call, 0), argument(call, 1)];
  const most = replaced(text.max, { part: part.min, other: other.max, keeps: other.max <= part.min });
  const least = replaced(text.min, { part: part.max, other: other.min, keeps: part.max <= other.min });
  return { cost: timesFactor(text, 2 * perCharacter), size: add({ min: least, max: most }) };
}

function replaced(
  text: number,
  { part, other, keeps }: { readonly part: number; readonly other: number; readonly keeps: boolean },
): number {
  // An empty part is before and after each character.
  if (part === 0) return text + (text + 1) * other;
  return keeps ? text : Math.ceil(text / part) * other;
}

/** At most one part for each character, or as many as the call wants at most. */
function splitting(call: EstimatedCall): CallEstimate {
  const text = receiver(call);
  const limit = call.literals[1];
  const isLimited = typeof limit === 'bigint' && limit >= 0n;
  return {
    cost: timesFactor(text, 2 * perCharacter),
    size: { min: 0, max: isLimited ? Math.min(Number(limit), text.max) : text.max },
  };
}

function joining(call: EstimatedCall): CallEstimate {
  const list = receiver(call);
  const separators = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
  const between = call.args.length > 0 ? multiply(argument(call, 0), separators) : exactly(0);
  const size = add(multiply(list, call.targetItems ?? anySize), between);
  return { cost: timesFactor(size, perCharacter), size };
}

const addressBytes: CostRange = { min: 4, max: 16 };
const addressCost = timesFactor(add(addressBytes, addressBytes), perCharacter);

function textCost(call: EstimatedCall): CostRange {
  return call.parameters[1]?.kind === 'string' ? timesFactor(argument(call, 0), perCharacter) : exactly(0);
}

/** The cost of creating a list. */
function making(size: CostRange, factor = 1): CallEstimate {
  return { cost: add(timesFactor(size, factor), one, exactly(makeCost.list)), size };
}

/** The value of an integer literal among the arguments; `other` if the argument is not one. */
function literal({ literals }: EstimatedCall, index: number, other: number): number {
  const value = literals[index];
  return typeof value === 'bigint' ? Math.max(0, Number(value)) : other;
}

/** The cost of a slice. With an end before its start, kube-apiserver's unsigned count overflows. */
function slicing(call: EstimatedCall): CallEstimate {
  const count = literal(call, 1, receiver(call).max) - literal(call, 0, 0);
  return making(exactly(count < 0 ? unbounded : count));
}

/** The cost of comparing all items of a list with each other. */
function comparingAll(list: CostRange, isText: boolean): CallEstimate {
  return making(multiply(list, list), isText ? 2 + perCharacter : 2);
}

function sorting(call: EstimatedCall, keys: CostRange, position: number): CallEstimate {
  const type = call.parameters[position];
  const isText = type?.kind === 'list' && (type.element.kind === 'string' || type.element.kind === 'bytes');
  return comparingAll(keys, isText);
}

/** The cost of parsing a selector, in which each requirement has at least two characters. */
function selecting(call: EstimatedCall): CallEstimate {
  const text = argument(call, 0);
  const requirements = timesFactor(timesFactor(text, 0.5), makeCost.list + makeCost.struct);
  return { cost: add(exactly(makeCost.list), timesFactor(text, perCharacter), requirements) };
}

/** The cost of looking up each item of one list in another. */
function crossing(call: EstimatedCall, times: number): CallEstimate {
  return { cost: add(one, timesFactor(multiply(argument(call, 0), argument(call, 1)), times)) };
}

/** The cost of quoting: each character may need an escape, and there are two quotes. */
function quoting(call: EstimatedCall): CallEstimate {
  const text = argument(call, 0);
  const size = add({ min: text.min, max: text.max * 2 }, exactly(2));
  return { cost: timesFactor(text, perCharacter), size };
}

/** The cost of matching the longest pattern of a named format. */
const formatCost = 32;

const rows: readonly (readonly [names: string, estimate: Estimate])[] = [
  ['check', () => ({ cost: exactly(authorizationCost) })],
  ['fieldSelector labelSelector', selecting],
  ['slice', slicing],
  ['lists.range', (call) => making(exactly(literal(call, 0, unbounded)))],
  ['reverse', (call) => making(receiver(call))],
  ['flatten', (call) => making(receiver(call), call.args.length > 0 ? literal(call, 0, unbounded) : 1)],
  ['distinct', (call) => comparingAll(receiver(call), false)],
  ['sort', (call) => sorting(call, receiver(call), 0)],
  ['@sortByAssociatedKeys', (call) => sorting(call, argument(call, 0), 1)],
  ['_==_ _!=_', equating],
  ['_<_ _<=_ _>_ _>=_', ordering],
  ['_+_', concatenating],
  ['@in', (call) => ({ cost: call.parameters[1]?.kind === 'list' ? timesFactor(argument(call, 1), 1) : one })],
  ['startsWith endsWith', (call) => ({ cost: timesFactor(argument(call, 0), perCharacter) })],
  [
    'contains',
    (call) => ({
      cost: multiply(timesFactor(receiver(call), perCharacter), timesFactor(argument(call, 0), perCharacter)),
    }),
  ],
  ['matches', (call) => (call.target ? { cost: matching(call.target, argument(call, 0)) } : { cost: one })],
  [
    'find findAll',
    (call) => ({ cost: matching(receiver(call), argument(call, 0)), size: { min: 0, max: receiver(call).max } }),
  ],
  ['isSorted sum max min indexOf lastIndexOf', traversing],
  ['lowerAscii upperAscii substring trim', sameSize],
  ['replace', replacing],
  ['split', splitting],
  ['join', joining],
  [
    'url jsonpatch.escapeKey',
    (call) => ({ cost: timesFactor(argument(call, 0), perCharacter), size: argument(call, 0) }),
  ],
  ['optional.of optional.ofNonZeroValue', (call) => ({ cost: one, size: argument(call, 0) })],
  ['optional.none', () => ({ cost: one, size: exactly(0) })],
  ['value', (call) => ({ cost: one, size: receiver(call) })],
  ['or orValue', alternative],
  ['format', (call) => ({ cost: timesFactor(receiver(call), perCharacter) })],
  ['validate', (call) => ({ cost: multiply(timesFactor(argument(call, 0), perCharacter), exactly(formatCost)) })],
  [
    'isIP cidr isCIDR quantity isQuantity semver isSemver',
    (call) => ({ cost: timesFactor(argument(call, 0), perCharacter) }),
  ],
  ['ip', (call) => ({ cost: call.args.length > 0 ? timesFactor(argument(call, 0), perCharacter) : one })],
  ['ip.isCanonical', (call) => ({ cost: timesFactor(argument(call, 0), 2 * perCharacter) })],
  ['sets.contains sets.intersects', (call) => crossing(call, 1)],
  ['sets.equivalent', (call) => crossing(call, 2)],
  ['strings.quote', quoting],
  ['containsIP', (call) => ({ cost: add(addressCost, textCost(call)) })],
  [
    'containsCIDR',
    (call) => ({ cost: add(addressCost, timesFactor(addressBytes, perCharacter), one, textCost(call)) }),
  ],
  [
    'bytes',
    (call) =>
      isOf(call, 'string')
        ? {
            cost: timesFactor(argument(call, 0), perCharacter),
            size: { min: argument(call, 0).min, max: Math.min(unbounded, argument(call, 0).max * 4) },
          }
        : { cost: one },
  ],
  [
    'string',
    (call) =>
      isOf(call, 'bytes')
        ? {
            cost: timesFactor(argument(call, 0), perCharacter),
            size: { min: Math.floor(argument(call, 0).min / 4), max: argument(call, 0).max },
          }
        : { cost: one },
  ],
];

/** The estimates by function name. */
const estimates: ReadonlyMap<string, Estimate> = new Map(
  rows.flatMap(([names, estimate]) => names.split(' ').map((name) => [name, estimate] as const)),
);
