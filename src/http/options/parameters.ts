import { parseInt64 } from '../../meta/label-demand.ts';
import { badRequest, invalidObject } from '../../status/status-error.ts';
import type { FieldError } from '../../status/field-error.ts';
import { shownValue } from '../../status/shown-value.ts';
import type { Query } from '../request/query.ts';

/** A query parameter as text; '' when absent. Of a repeated one, the first counts. */
export function textOf(query: Query, name: string): string {
  return query.get(name) ?? '';
}

/** Whether text means true: the API takes only `0` and `false` as no, and a parameter without value as yes. */
export function isTrue(text: string): boolean {
  const lower = text.toLowerCase();
  return lower !== 'false' && lower !== '0';
}

/** A boolean parameter; undefined when absent. */
export function booleanOf(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : isTrue(text);
}

const integer = /^[-+]?[0-9]+$/;

/** The longest malformed value that a message repeats. */
const shownLimit = 64;

/**
 * An integer parameter; undefined when absent. Numbers beyond what `number` holds exactly are clamped, since every
 * user of an integer here caps it anyway. Throws 400 for anything but an integer of 64 bits, an empty text included.
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

/** The kinds that a refused parameter is reported under. */
type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions' | 'ListOptions';

/** Throws 422 with every refused parameter; returns when there is none. */
export function refuseOptions(apiDomain: string, kind: OptionsKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject({ group: `meta.${apiDomain}`, resource: kind }, '', errors);
}
