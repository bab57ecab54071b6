import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { getOwn, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { isTrue, sameValue } from '../../../meta/read-field.ts';
import type { SameValue } from '../../../scheme/same-message.ts';

/** Refuses a change of an immutable field. `same` decides if the values are equal. */
export function checkImmutable(
  field: string,
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  same: SameValue = sameValue,
): FieldError[] {
  return same(value, old) ? [] : [invalid(field, value ?? null, 'field is immutable')];
}

/**
 * Checks the rule of `immutable: true` on Secrets and ConfigMaps: neither `immutable` nor the named
 * fields may change. Metadata may (spec 2.4).
 */
export function checkImmutableMark(object: JsonObject, old: JsonObject, fields: readonly string[]): FieldError[] {
  if (!isTrue(old, 'immutable')) return [];
  const changed = fields.filter((name) => !sameValue(getOwn(object, name), getOwn(old, name)));
  const names = isTrue(object, 'immutable') ? changed : ['immutable', ...changed];
  return names.map((name) => forbidden(name, 'field is immutable when `immutable` is set'));
}
