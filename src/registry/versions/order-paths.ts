import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';

/** How many ends of a key are tried, because a key may contain dots. */
const triedEnds = 32;

/**
 * Compares paths such as `spec.rules[0].host` by the positions of their fields in a document. A
 * duplicate field has its last position.
 */
export function pathOrder(document: JsonObject): (a: string, b: string) => number {
  // Cached, because objects can have many keys, and there can be many paths.
  const indexes = new Map<JsonObject, ReadonlyMap<string, number>>();
  const indexOf = (object: JsonObject): ReadonlyMap<string, number> => {
    const known = indexes.get(object) ?? new Map(Object.keys(object).map((key, index) => [key, index]));
    indexes.set(object, known);
    return known;
  };
  const places = new Map<string, readonly number[]>();
  const placeOf = (path: string): readonly number[] => {
    const place = places.get(path) ?? readPlace(document, path, indexOf);
    places.set(path, place);
    return place;
  };
  return (a, b) => comparePlaces(placeOf(a), placeOf(b));
}

/** The positions of the steps of a path, up to the first one that does not exist. */
function readPlace(
  document: JsonObject,
  path: string,
  indexOf: (object: JsonObject) => ReadonlyMap<string, number>,
): readonly number[] {
  const place: number[] = [];
  let value: JsonValue | undefined = document;
  let rest = path;
  while (rest !== '') {
    const step: PathStep | undefined = Array.isArray(value)
      ? itemStep(rest)
      : isJsonObject(value)
        ? keyStep(rest, indexOf(value))
        : undefined;
    if (!step) break;
    place.push(step.index);
    value = Array.isArray(value) ? value[step.index] : isJsonObject(value) ? value[step.key] : undefined;
    rest = rest.slice(step.length);
  }
  return place;
}

interface PathStep {
  readonly key: string;
  readonly index: number;
  /** The length of the step in the path, with a dot after it. */
  readonly length: number;
}

function itemStep(path: string): PathStep | undefined {
  const [text, digits] = /^\[(\d+)\]\.?/.exec(path) ?? [];
  return text === undefined ? undefined : { key: '', index: Number(digits), length: text.length };
}

function keyStep(path: string, keys: ReadonlyMap<string, number>): PathStep | undefined {
  const ends = /[.[]|$/g;
  for (let tries = 0; tries < triedEnds; tries++) {
    const end = ends.exec(path)?.index ?? path.length;
    const key = path.slice(0, end);
    const index = keys.get(key);
    if (index !== undefined) return { key, index, length: path[end] === '.' ? end + 1 : end };
    if (end >= path.length) return undefined;
    ends.lastIndex = end + 1;
  }
  return undefined;
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (const [step, index] of a.entries()) {
    const other = b[step];
    if (other === undefined) return 1;
    if (index !== other) return index - other;
  }
  return a.length - b.length;
}
