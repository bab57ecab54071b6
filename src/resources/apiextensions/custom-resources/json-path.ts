import { getOwn, isJsonObject, type JsonValue } from '../../../meta/json-value.ts';

/** The values that one step of a path finds in a value. */
type PathStep = (value: JsonValue) => readonly JsonValue[];

/** Finds all values of a path in a document, in order. */
type FindValues = (document: JsonValue) => readonly JsonValue[];

/** A longer path is none: it would take long to read. */
const longestPath = 1_000;
/** The maximum of values that a step passes on: descendants of descendants could be very many. */
const mostValues = 10_000;

/**
 * Compiles a JSONPath as columns of custom resources have it: fields, names in quotes, indexes,
 * slices, wildcards, all descendants, unions, and filters that compare a field with a value.
 * Undefined if it is not one.
 */
export function compileJsonPath(path: string): FindValues | undefined {
  if (path.length > longestPath) return undefined;
  const reader = new PathReader(path);
  const steps: PathStep[] = [];
  while (!reader.isAtEnd) {
    const step = readStep(reader);
    if (!step) return undefined;
    steps.push(step);
  }
  return (document) =>
    steps.reduce<readonly JsonValue[]>((values, step) => values.slice(0, mostValues).flatMap(step), [document]);
}

/** Reads a path from its beginning to its end. */
class PathReader {
  #at = 0;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#path.length;
  }

  /** Takes what matches here; undefined if nothing does. `pattern` is sticky. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#path);
    if (found) this.#at = pattern.lastIndex;
    return found ?? undefined;
  }
}

function readStep(reader: PathReader): PathStep | undefined {
  if (reader.take(/\.\./y)) {
    const name = reader.take(/[^.[\]\s]+/y)?.[0];
    return name === undefined ? undefined : descendants(name);
  }
  if (reader.take(/\.?\*/y)) return members;
  const name = reader.take(/\.((?:\\.|[^.[\]\\\s])+)/y)?.[1];
  if (name !== undefined) return field(name.replaceAll(/\\(.)/g, '$1'));
  const filter = reader.take(/\.?\[\?\(\s*(.*?)\s*\)\]/y)?.[1];
  if (filter !== undefined) return readFilter(filter);
  const inside = reader.take(/\.?\[((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\]'"])*)\]/y)?.[1];
  if (inside !== undefined) return readSelection(inside);
  return reader.take(/\.$/y) ? itself : undefined;
}

const itself: PathStep = (value) => [value];

const members: PathStep = (value) => {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
};

function field(name: string): PathStep {
  return (value) => {
    const part = isJsonObject(value) ? getOwn(value, name) : undefined;
    return part === undefined ? [] : [part];
  };
}

function descendants(name: string): PathStep {
  const own = name === '*' ? members : field(name);
  const below: PathStep = (value) => [...own(value), ...members(value).flatMap(below)];
  return below;
}

const quoted = /^'((?:\\.|[^'\\])*)'$|^"((?:\\.|[^"\\])*)"$/;

function textIn(quotedText: string): string | undefined {
  const found = quoted.exec(quotedText);
  return (found?.[1] ?? found?.[2])?.replaceAll(/\\(.)/g, '$1');
}

/** Selections in brackets: names in quotes, indexes, slices or all, several with commas. */
function readSelection(inside: string): PathStep | undefined {
  const parts = inside.match(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^,'"]+/g)?.map((part) => part.trim()) ?? [];
  const steps = parts.filter((part) => part !== '').map(readSelector);
  if (steps.length === 0 || steps.includes(undefined)) return undefined;
  return (value) => steps.flatMap((step) => step?.(value) ?? []);
}

function readSelector(part: string): PathStep | undefined {
  if (part === '*') return members;
  const name = textIn(part);
  if (name !== undefined) return field(name);
  if (/^-?\d+$/.test(part)) return itemAt(Number(part));
  const slice = /^(-?\d+)?:(-?\d+)?(?::(\d+))?$/.exec(part);
  if (!slice) return undefined;
  const [from, to] = [slice[1], slice[2]].map((text) => (text === undefined ? undefined : Number(text)));
  const stride = Number(slice[3] ?? 1) || 1;
  return (value) => (Array.isArray(value) ? value.slice(from, to).filter((_, index) => index % stride === 0) : []);
}

function itemAt(index: number): PathStep {
  return (value) => {
    const found = Array.isArray(value) ? value.at(index) : undefined;
    return found === undefined ? [] : [found];
  };
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** A filter of items: `@.type=="Ready"`, or `@.type` for those that have the field. */
function readFilter(text: string): PathStep | undefined {
  const found = /^@(.*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+))?$/.exec(text);
  const find = found && compileJsonPath(found[1] ?? '');
  if (!found || !find) return undefined;
  const [, , operator, literal] = found;
  const wanted = literal === undefined ? undefined : valueOf(literal.trim());
  const compare = operator === undefined ? undefined : comparisons[operator];
  if (operator !== undefined && wanted === undefined) return undefined;
  const holds = (item: JsonValue): boolean => {
    const values = find(item);
    if (!compare || wanted === undefined) return values.length > 0;
    const order = values[0] === undefined ? undefined : orderOf(values[0], wanted);
    return order !== undefined && compare(order);
  };
  return (value) => members(value).filter(holds);
}

function valueOf(literal: string): string | number | boolean | undefined {
  const text = textIn(literal);
  if (text !== undefined) return text;
  if (literal === 'true' || literal === 'false') return literal === 'true';
  return literal !== '' && Number.isFinite(Number(literal)) ? Number(literal) : undefined;
}

/** The order of two values of one type; undefined for others. */
function orderOf(value: JsonValue, wanted: string | number | boolean): number | undefined {
  const left = typeof value === 'bigint' ? Number(value) : value;
  if (typeof left !== typeof wanted || left === null) return undefined;
  if (left === wanted) return 0;
  return left < wanted ? -1 : 1;
}
