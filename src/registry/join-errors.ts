import { allErrors } from '../status/all-errors.ts';
import { memoize } from '../meta/memoize.ts';
import type { ObjectSchema, Schema } from '../scheme/schema.ts';
import type { FieldError } from '../status/field-error.ts';

/**
 * Joins the errors of a kind's own rules with those of its schema. An error of the schema is
 * dropped if the rules refuse the same field, if it is inside a part that a rule covers, or if it
 * is at one of the paths in `suppressed` (`[]` stands for any index). The rules define the order:
 * an error of the schema is placed after the last error about the same part of the object, or at
 * the end.
 */
export function joinErrors(
  own: readonly FieldError[],
  schema: readonly FieldError[],
  suppressed: readonly string[] = [],
  model?: Schema,
): readonly FieldError[] {
  if (schema.length === 0) return own;
  const refused = new Set(own.map(({ field }) => field));
  const isCovered = insideOf(own.flatMap(({ covers }) => covers ?? []));
  const isSuppressed = insideOf(suppressed);
  const others = schema.filter(
    ({ field }) => !refused.has(field) && !isCovered(field) && !isSuppressed(field.replaceAll(anyIndex, '[]')),
  );
  if (others.length === 0 || own.length === 0) return allErrors(own, others);
  const joined = own.slice(0, placedErrors).map(withSteps);
  for (const placed of others.slice(0, placedErrors).map(withSteps)) {
    joined.splice(placeOf(placed.steps, joined, model), 0, placed);
  }
  const sorted = joined.map(({ error }) => error);
  return allErrors(sorted, own.slice(placedErrors), others.slice(placedErrors));
}

/** An error with the steps of its field. */
interface PlacedError {
  readonly error: FieldError;
  readonly steps: readonly string[];
}

function withSteps(error: FieldError): PlacedError {
  return { error, steps: stepsOf(error.field) };
}

/**
 * How many errors of each side are sorted. Later ones are not shown, and each placement scans the
 * earlier ones.
 */
const placedErrors = 100;

const anyIndex = /\[\d+\]/g;

/**
 * Returns a test for fields equal to or inside one of some parts. Its cost does not grow with the
 * number of parts or with long keys.
 */
function insideOf(parts: readonly string[]): (field: string) => boolean {
  const known = new Set(parts);
  const longest = parts.reduce((length, part) => Math.max(length, part.length), 0);
  return (field) => {
    if (known.has(field)) return true;
    for (let end = 0; end <= Math.min(longest, field.length); end++) {
      if ((field[end] === '.' || field[end] === '[') && known.has(field.slice(0, end))) return true;
    }
    return false;
  };
}

/** How many steps two fields share at least to be about the same part. */
const nearby = 1;

function placeOf(steps: readonly string[], errors: readonly PlacedError[], model: Schema | undefined): number {
  let [place, closest, isBefore] = [errors.length, nearby, false];
  for (const [index, { steps: others }] of errors.entries()) {
    const shared = sharedSteps(steps, others);
    const [item, other] = [indexOf(steps[shared]), indexOf(others[shared])];
    const areItems = item >= 0 && other >= 0;
    // Items of one list are as close as parts of one item.
    const closeness = areItems ? shared + 1 : shared;
    if (closeness < closest || (closeness === closest && isBefore)) continue;
    closest = closeness;
    isBefore = areItems ? other > item : isLaterField(model, others, steps, shared);
    place = isBefore ? index : index + 1;
  }
  return place;
}

/**
 * Reports whether two paths part at fields of an object, of which the first is the later one.
 * kube-apiserver checks a scalar before the items of a list beside it.
 */
function isLaterField(
  model: Schema | undefined,
  path: readonly string[],
  other: readonly string[],
  at: number,
): boolean {
  let schema = model;
  for (const step of path.slice(0, at)) {
    if (schema?.type === 'object') schema = schema.fields.get(step)?.schema;
    else schema = schema?.type === 'list' ? schema.items : undefined;
  }
  const isScalarBesideList = path.length === at + 1 && indexOf(other[at + 1]) >= 0;
  if (schema?.type !== 'object' || isScalarBesideList) return false;
  const places = placesOfFields(schema);
  return (places.get(path[at] ?? '') ?? 0) > (places.get(other[at] ?? '') ?? Number.POSITIVE_INFINITY);
}

const placesOfFields = memoize(
  ({ fields }: ObjectSchema): ReadonlyMap<string, number> =>
    new Map([...fields.keys()].map((name, place) => [name, place])),
);

/** The index of an item as a step; NaN for any other step. */
function indexOf(step = ''): number {
  return step.startsWith('[') ? Number(step.slice(1, -1)) : Number.NaN;
}

/** Only this many characters of a field are compared; the rest may be a key of megabytes. */
const comparedLength = 500;

function stepsOf(field: string): readonly string[] {
  return field.slice(0, comparedLength).split(/\.|(?=\[)/);
}

function sharedSteps(left: readonly string[], right: readonly string[]): number {
  const end = left.findIndex((step, index) => step !== right[index]);
  return end < 0 ? left.length : end;
}
