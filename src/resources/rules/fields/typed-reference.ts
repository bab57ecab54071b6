import { validateDnsSubdomain, validatePathSegment } from '../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';

/** A reference to an object of the same namespace. */
interface TypedReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

/** Checks a reference to an object of the same namespace. */
export function checkTypedReference<T extends TypedReference>(reference: FieldCursor<T | undefined>): void {
  if (!reference.value) return;
  const typed = reference as unknown as FieldCursor<TypedReference>;
  typed.at('apiGroup').mustBe(validateDnsSubdomain);
  for (const name of ['kind', 'name'] as const) {
    typed.at(name).mustBeSet();
    typed.at(name).mustBe(validatePathSegment);
  }
}
