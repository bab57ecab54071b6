import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { sameValue } from '../../../meta/read-field.ts';
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
export function checkImmutableMark<T extends JsonObject & { immutable?: boolean }>(
  object: T,
  old: T,
  fields: readonly (keyof T & string)[],
): FieldError[] {
  if (!old.immutable) return [];
  const changed = fields.filter((name) => !sameValue(object[name], old[name]));
  const names = object.immutable ? changed : ['immutable', ...changed];
  return names.map((name) => forbidden(name, 'field is immutable when `immutable` is set'));
}
