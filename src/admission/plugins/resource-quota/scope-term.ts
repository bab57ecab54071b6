import type { ResourceQuotaSpec } from '../../../gen/stored/core-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';

/** A condition on the scope of an object: `PriorityClass In [high, low]`. */
export interface ScopeTerm {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** The conditions of a quota's spec; all of them must hold. */
export function scopeTermsOf({ scopes = [], scopeSelector }: ResourceQuotaSpec): readonly ScopeTerm[] {
  const terms = scopeSelector?.matchExpressions ?? [];
  return [
    ...scopes.map((scope) => ({ scope, operator: 'Exists', values: [] })),
    ...terms.map(({ scopeName: scope, operator, values = [] }) => ({ scope, operator, values })),
  ];
}

/** Reads a list of conditions in a configuration. */
export function readScopeTerms(owner: JsonObject, field: string): readonly ScopeTerm[] {
  return objectsAt(owner, field).map((term) => ({
    scope: stringAt(term, 'scopeName'),
    operator: stringAt(term, 'operator'),
    values: stringsAt(term, 'values'),
  }));
}

/** The operators, on a value that may be missing. */
const operators: Readonly<Record<string, (value: string, values: readonly string[]) => boolean>> = {
  In: (value, values) => value !== '' && values.includes(value),
  NotIn: (value, values) => value === '' || !values.includes(value),
  Exists: (value) => value !== '',
  DoesNotExist: (value) => value === '',
};

/** Reports whether a value fulfils a condition; '' is no value. */
export function fulfils(value: string, { operator, values }: ScopeTerm): boolean {
  return operators[operator]?.(value, values) ?? false;
}

/** Formats conditions for a message, as Go prints them: `[{PriorityClass In [high low]}]`. */
export function formatScopeTerms(terms: readonly ScopeTerm[]): string {
  const texts = terms.map(({ scope, operator, values }) => `{${scope} ${operator} [${values.join(' ')}]}`);
  return `[${texts.join(' ')}]`;
}
