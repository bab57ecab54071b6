import { parseInt64 } from '../../meta/label-demand.ts';
import { badRequest, invalidObject } from '../../status/status-error.ts';
import type { FieldError } from '../../status/field-error.ts';
import { shownValue } from '../../status/shown-value.ts';
import type { Query } from '../../http-protocol/requests/query.ts';

/** Returns a query parameter; '' if absent. The first value of a repeated parameter counts. */
export function textOf(query: Query, name: string): string {
  return query.get(name) ?? '';
}

/** Parses a boolean: only `0` and `false` are false, and a parameter without a value is true. */
export function isTrue(text: string): boolean {
  const lower = text.toLowerCase();
  return lower !== 'false' && lower !== '0';
}

/** Returns a boolean parameter; undefined if absent. */
export function booleanOf(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : isTrue(text);
}

/** Reports whether the query of a collection requests a watch. */
export function isWatchQuery(query: Query): boolean {
  return booleanOf(query, 'watch') === true;
}

const integer = /^[-+]?[0-9]+$/;

/** Longer invalid values are shortened to this number of characters in messages. */
const shownLimit = 64;

/**
 * Returns an integer parameter; undefined if absent. A value that a `number` cannot represent
 * exactly is clamped; all callers limit the value anyway. Throws 400 for a value that is not a
 * 64-bit integer, including an empty one.
 */
export function integerOf(query: Query, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = parseInt64(text);
  if (value === undefined) {
    const why = integer.test(text) ? 'value out of range' : 'invalid syntax';
    throw badRequest(`strconv.ParseInt: parsing ${shownValue(text, shownLimit)}: ${why}`);
  }
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value)));
}

/** The kinds in the message of a refused parameter. */
type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions' | 'ListOptions';

/** Throws a 422 with all refused parameters; does nothing if there are none. */
export function refuseOptions(apiDomain: string, kind: OptionsKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject({ group: `meta.${apiDomain}`, resource: kind }, '', errors);
}
