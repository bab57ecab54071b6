import type { JsonObject } from '../../meta/json-value.ts';
import { allErrors, noErrors } from '../../status/all-errors.ts';
import type { FieldError } from '../../status/field-error.ts';
import type { StructuralSchema } from '../model/structural-schema.ts';
import { repeatedItems, validateEmbedded } from './validate-items.ts';
import { validateStructural } from './validate-structural.ts';

/**
 * Returns all errors of an object of a custom kind, those of its metadata aside. An update, of
 * `old`, may keep what its schema no longer allows.
 */
export function validateCustom(schema: StructuralSchema, object: JsonObject, old?: JsonObject): readonly FieldError[] {
  const repeated = repeatedItems(schema, object);
  return allErrors(
    validateStructural(schema.source, object, { old }),
    validateEmbedded(schema, object),
    old && repeated.length > 0 && repeatedItems(schema, old).length > 0 ? noErrors : repeated,
  );
}
