import { allErrors } from '../../status/all-errors.ts';
import type { FieldError } from '../../status/field-error.ts';

/** The errors of a write, by the part of validation that found them. */
export interface FoundErrors {
  readonly metadata: readonly FieldError[];
  readonly schema: readonly FieldError[];
  /** Rules of the kind for the new state. They refine the errors of the schema. */
  readonly rules: readonly FieldError[];
  /** Rules that run after the others, and those for changes. They refine nothing. */
  readonly laterRules: readonly FieldError[];
}

/**
 * Joins the errors of a write in the order of the response: metadata, schema, rules. An error of a
 * rule replaces the errors of the schema for the same field, and inside a part that a rule forbids.
 */
export function joinErrors({ metadata, schema, rules, laterRules }: FoundErrors): readonly FieldError[] {
  return allErrors(metadata, withoutRefined(schema, rules), rules, laterRules);
}

function withoutRefined(schema: readonly FieldError[], rules: readonly FieldError[]): readonly FieldError[] {
  if (schema.length === 0 || rules.length === 0) return schema;
  const refined = new Set(rules.map(({ field }) => field));
  const isForbidden = insideOf(rules.flatMap(({ reason, field }) => (reason === 'FieldValueForbidden' ? field : [])));
  return schema.filter(({ field }) => !refined.has(field) && !isForbidden(field));
}

/**
 * Returns a test for fields inside one of some parts. Its cost does not grow with the number of
 * parts or with long keys.
 */
function insideOf(parts: readonly string[]): (field: string) => boolean {
  const known = new Set(parts);
  const longest = parts.reduce((length, part) => Math.max(length, part.length), 0);
  return (field) => {
    for (let end = 0; end <= Math.min(longest, field.length - 1); end++) {
      if ((field[end] === '.' || field[end] === '[') && known.has(field.slice(0, end))) return true;
    }
    return false;
  };
}
