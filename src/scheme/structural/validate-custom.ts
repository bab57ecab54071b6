import type { JsonObject } from '../../meta/json-value.ts';
import { allErrors } from '../../status/all-errors.ts';
import type { FieldError } from '../../status/field-error.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { validateItems } from './validate-items.ts';
import { validateStructural } from './validate-structural.ts';

/** Returns all errors of an object of a custom kind, those of its metadata aside. */
export function validateCustom(schema: StructuralSchema, object: JsonObject): readonly FieldError[] {
  return allErrors(validateStructural(schema.source, object), validateItems(schema, object));
}
