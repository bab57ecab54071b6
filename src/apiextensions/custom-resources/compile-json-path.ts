import { getOwn, isJsonObject, type JsonValue } from '../../meta/json-value.ts';

/** The budget of visits that the searches for the cells of one row share. */
interface PathWork {
  visits: number;
}

/** A search for the first value of a path. */
interface Search {
  readonly work: PathWork;
  /** The containers in which a part of the path found nothing; a second visit finds no more. */
  readonly seen: Map<Visit, Set<JsonValue>>;
}

/** Finds the first value of the rest of a path, from a value on. */
type Visit = (value: JsonValue, search: Search) => JsonValue | undefined;

/**
 * One step of a path, which passes the values that it finds to the next step until that finds one.
 */
type PathStep = (next: Visit) => Visit;

/** Finds the first value of a path in a document. A search without visits left finds nothing. */
type FindFirst = (document: JsonValue, work: PathWork) => JsonValue | undefined;

/** A longer path is none: it would take long to read. */
const longestPath = 1_000;

/**
 * Compiles a JSONPath as columns of custom resources have it: fields, names in quotes, indexes,
 * slices, wildcards, all descendants, unions, and filters that compare a field with a value.
 * Undefined if it is not one. Each step visits a value once, so that a search is linear in the
 * document and the path although descendants of descendants are very many.
 */
export function compileJsonPath(path: string): FindFirst | undefined {
  if (path.length > longestPath) return undefined;
  const reader = new PathReader(path);
  const steps: PathStep[] = [];
  while (!reader.isAtEnd) {
    const step = readStep(reader);
    if (!step) return undefined;
    steps.push(step);
  }
  const visit = steps.reduceRight<Visit>((next, step) => step(next), itself);
  return (document, work) => visit(document, { work, seen: new Map() });
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

  /** Takes the match at the current index; undefined if there is none. `pattern` is sticky. */
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
  return reader.take(/\.$/y) ? (next) => next : undefined;
}

const itself: Visit = (value) => value;

/** The values in a container. Collecting the values of an object takes as long as visiting them. */
function partsOf(value: JsonValue, work: PathWork): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value) || work.visits < 0) return [];
  const parts = Object.values(value);
  work.visits -= parts.length;
  return parts;
}

/** The first value that a step finds in some values, while there are visits left. */
function firstOf(values: Iterable<JsonValue>, visit: Visit, search: Search): JsonValue | undefined {
  for (const value of values) {
    if (--search.work.visits < 0) return undefined;
    const found = visit(value, search);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Visits a container once in a search: the first visit would have ended it with a value. */
function onceIn(visit: Visit): Visit {
  return (value, search) => {
    if (value === null || typeof value !== 'object') return visit(value, search);
    const seen = search.seen.get(visit) ?? new Set();
    if (seen.has(value)) return undefined;
    search.seen.set(visit, seen.add(value));
    return visit(value, search);
  };
}

const members: PathStep = (next) => (value, search) => firstOf(partsOf(value, search.work), next, search);

function field(name: string): PathStep {
  return (next) => (value, search) => {
    const part = isJsonObject(value) ? getOwn(value, name) : undefined;
    return part === undefined ? undefined : next(part, search);
  };
}

function descendants(name: string): PathStep {
  const own = name === '*' ? members : field(name);
  return (next) => {
    const here = own(onceIn(next));
    const below: Visit = onceIn(
      (value, search) => here(value, search) ?? firstOf(partsOf(value, search.work), below, search),
    );
    return below;
  };
}

const quoted = /^'((?:\\.|[^'\\])*)'$|^"((?:\\.|[^"\\])*)"$/;

function textIn(quotedText: string): string | undefined {
  const found = quoted.exec(quotedText);
  return (found?.[1] ?? found?.[2])?.replaceAll(/\\(.)/g, '$1');
}

/** Selections in brackets: names in quotes, indexes, slices or all, several with commas. */
function readSelection(inside: string): PathStep | undefined {
  const parts = inside.match(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^,'"]+/g)?.map((part) => part.trim()) ?? [];
  const read = parts.filter((part) => part !== '').map(readSelector);
  const steps = read.filter((step) => step !== undefined);
  if (steps.length === 0 || steps.length < read.length) return undefined;
  return steps.length === 1 ? steps[0] : union(steps);
}

/** Several selections, which may select the same value. */
function union(steps: readonly PathStep[]): PathStep {
  return (next) => {
    const visits = steps.map((step) => step(onceIn(next)));
    return (value, search) => {
      for (const visit of visits) {
        if (--search.work.visits < 0) return undefined;
        const found = visit(value, search);
        if (found !== undefined) return found;
      }
      return undefined;
    };
  };
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
  return (next) => (value, search) =>
    Array.isArray(value) ? firstOf(itemsOf(value, { from, to, stride }), next, search) : undefined;
}

/** The items of a slice, one after the other: a copy would take as long as the whole list. */
function* itemsOf(
  list: readonly JsonValue[],
  {
    from = 0,
    to = list.length,
    stride,
  }: { readonly from?: number | undefined; readonly to?: number | undefined; readonly stride: number },
): Generator<JsonValue> {
  const placeOf = (index: number): number => (index < 0 ? Math.max(0, list.length + index) : index);
  const end = Math.min(list.length, placeOf(to));
  for (let index = placeOf(from); index < end; index += stride) yield list[index] ?? null;
}

function itemAt(index: number): PathStep {
  return (next) => (value, search) => {
    const item = Array.isArray(value) ? value.at(index) : undefined;
    return item === undefined ? undefined : next(item, search);
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

/** A filter of items: `@.type=="Ready"`, or `@.type` for items that have the field. */
function readFilter(text: string): PathStep | undefined {
  const found = /^@(.*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+))?$/.exec(text);
  const find = found && compileJsonPath(found[1] ?? '');
  if (!found || !find) return undefined;
  const [, , operator, literal] = found;
  const wanted = literal === undefined ? undefined : valueOf(literal.trim());
  const compare = operator === undefined ? undefined : comparisons[operator];
  if (operator !== undefined && wanted === undefined) return undefined;
  const holds = (item: JsonValue, work: PathWork): boolean => {
    const part = find(item, work);
    if (part === undefined || !compare || wanted === undefined) return part !== undefined;
    const order = orderOf(part, wanted);
    return order !== undefined && compare(order);
  };
  return (next) => {
    const visit: Visit = (item, search) => (holds(item, search.work) ? next(item, search) : undefined);
    return (value, search) => firstOf(partsOf(value, search.work), visit, search);
  };
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
