import { allErrors } from '../status/all-errors.ts';
import type { FieldError } from '../status/field-error.ts';

/**
 * The errors of a kind's own rules with those of its schema, without what the rules have already said: both may
 * know that a field is needed, and the rules know the order in which clients expect to read it. An error of the schema
 * stands behind the last one of the rules about the same part of the object; one about no such part stands at the end.
 * Errors of the schema are left out where `alone` matches their field, and inside the parts that the rules refuse as
 * a whole.
 */
export function joinErrors(
  own: readonly FieldError[],
  schema: readonly FieldError[],
  alone?: RegExp,
): readonly FieldError[] {
  if (schema.length === 0) return own;
  const covered = own.flatMap(({ covers }) => covers ?? []);
  const others = schema.filter(({ field }) => !alone?.test(field) && !covered.some((part) => isWithin(field, part)));
  if (others.length === 0 || own.length === 0) return allErrors(own, others);
  const said = new Set(own.map(identityOf));
  const unsaid = others.filter((error) => !said.has(identityOf(error)));
  const joined = own.slice(0, placedErrors);
  for (const error of unsaid.slice(0, placedErrors)) joined.splice(placeOf(error, joined), 0, error);
  return allErrors(joined, own.slice(placedErrors), unsaid.slice(placedErrors));
}

/** Of each side so many errors are put in order; later ones are not shown, and finding a place looks at all before. */
const placedErrors = 100;

function isWithin(field: string, part: string): boolean {
  return field.startsWith(part) && /^(?:$|[.[])/.test(field.slice(part.length));
}

function identityOf({ field, reason }: FieldError): string {
  return `${reason} ${field}`;
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

function stepsOf(field: string): readonly string[] {
  return field.split(/\.|(?=\[)/);
}

function sharedSteps(left: readonly string[], right: readonly string[]): number {
  const end = left.findIndex((step, index) => step !== right[index]);
  return end < 0 ? left.length : end;
}
