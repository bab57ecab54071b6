import type { FieldError } from '../status/field-error.ts';

/**
 * The errors of a kind's own rules and then those of its schema, without what the rules have already said: both may
 * know that a field is needed, and the rules know the order in which clients expect to read it.
 */
export function joinErrors(own: readonly FieldError[], schema: readonly FieldError[]): FieldError[] {
  if (schema.length === 0 || own.length === 0) return [...own, ...schema];
  const said = new Set(own.map(identityOf));
  return [...own, ...schema.filter((error) => !said.has(identityOf(error)))];
}

function identityOf({ field, reason }: FieldError): string {
  return `${reason} ${field}`;
}
