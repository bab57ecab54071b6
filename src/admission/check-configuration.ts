import { getOwn, isJsonObject, type JsonObject } from '../meta/json-value.ts';
import { stringAt } from '../meta/read-field.ts';
import { type FieldError, forbidden, invalid } from '../status/field-error.ts';

/** The kind of a plugin's configuration, whose versions have the same fields. */
interface ConfigurationKind {
  readonly kind: string;
  readonly group: string;
  readonly versions: readonly string[];
}

/** Checks the kind of a plugin's configuration. Throws `RangeError` if it is another one. */
export function checkKind(configuration: JsonObject, { kind, group, versions }: ConfigurationKind): void {
  const known = versions.map((version) => `${group}/${version}`);
  if (known.includes(stringAt(configuration, 'apiVersion')) && stringAt(configuration, 'kind') === kind) return;
  throw new RangeError(`kind ${kind} of ${known.join(', ')} was expected`);
}

/**
 * An object in a configuration; empty if it is missing. Adds an error for another value and for
 * each field that is not in `known`. `field` is '' for the configuration itself.
 */
export function configuredObject(
  owner: JsonObject,
  field: string,
  known: readonly string[],
  errors: FieldError[],
): JsonObject {
  const value = field === '' ? owner : (getOwn(owner, field) ?? {});
  if (!isJsonObject(value)) {
    errors.push(invalid(field, value, 'must be an object'));
    return {};
  }
  const prefix = field === '' ? '' : `${field}.`;
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  errors.push(...unknown.map((name) => forbidden(`${prefix}${name}`, 'unknown field')));
  return value;
}

/** Throws `RangeError` with all errors of a configuration, if there are any. */
export function refuseErrors(errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw new RangeError(errors.map(({ field, message }) => `${field}: ${message}`).join('; '));
}
