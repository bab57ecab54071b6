import { allErrors } from '../status/all-errors.ts';
import type { FieldError } from '../status/field-error.ts';

/**
 * The errors of a kind's own rules with those of its schema. The rules know more than the schema: where both refuse a field, the
 * error of the rule stands. Errors of the schema are also left out inside the parts that the rules refuse as a whole, and at the
 * paths of `suppressed`, which have `[]` for any index. The rules know the order in which clients expect to read errors, too: an
 * error of the schema is placed behind the last one of the rules about the same part of the object; one about no such part comes
 * last.
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

/** Of each side so many errors are put in order; later ones are not shown, and finding a place looks at all before. */
const placedErrors = 100;

const anyIndex = /\[\d+\]/g;

/** Tells whether a field is one of some parts of an object or inside one. Takes no longer for many parts, or for long keys. */
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

/** How many steps two fields share before they are about nothing in particular: all errors begin with `spec`. */
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

/** The first characters of a field tell where it is; the rest may be a key of megabytes. */
const comparedLength = 500;

function stepsOf(field: string): readonly string[] {
  return field.slice(0, comparedLength).split(/\.|(?=\[)/);
}

function sharedSteps(left: readonly string[], right: readonly string[]): number {
  const end = left.findIndex((step, index) => step !== right[index]);
  return end < 0 ? left.length : end;
}
