import { allErrors } from '../status/all-errors.ts';
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
): readonly FieldError[] {
  if (schema.length === 0) return own;
  const refused = new Set(own.map(({ field }) => field));
  const isCovered = insideOf(own.flatMap(({ covers }) => covers ?? []));
  const isSuppressed = insideOf(suppressed);
  const others = schema.filter(
    ({ field }) => !refused.has(field) && !isCovered(field) && !isSuppressed(field.replaceAll(anyIndex, '[]')),
  );
  if (others.length === 0 || own.length === 0) return allErrors(own, others);
  const joined = own.slice(0, placedErrors);
  for (const error of others.slice(0, placedErrors)) joined.splice(placeOf(error, joined), 0, error);
  return allErrors(joined, own.slice(placedErrors), others.slice(placedErrors));
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

/**
 * How many path steps two fields share at least to count as close: all errors begin with `spec`.
 */
const nearby = 2;

function placeOf({ field }: FieldError, errors: readonly FieldError[]): number {
  const steps = stepsOf(field);
  let [place, closest] = [errors.length, nearby];
  for (const [index, error] of errors.entries()) {
    const shared = sharedSteps(steps, stepsOf(error.field));
    if (shared < closest) continue;
    closest = shared;
    place = index + 1;
  }
  return place;
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
