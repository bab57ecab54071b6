import type { JsonObject } from '../../meta/json-value.ts';
import type { FieldError } from '../../status/field-error.ts';
import type { RequestScope } from './registry.ts';

/**
 * Checks rules of a kind that depend on other objects of the server, such as the namespace of the
 * object. `old` is set on updates, also of a sub-resource. Must not mutate. Returns all errors.
 */
export type CheckReferences = (
  object: JsonObject,
  old: JsonObject | undefined,
  scope: RequestScope,
) => Promise<readonly FieldError[]>;
