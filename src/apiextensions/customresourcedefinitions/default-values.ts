import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { objectAt } from '../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';
import { embeddedObjectErrors } from '../custom-resources/embedded-objects.ts';
import { compileStructuralSchema, hasExtension } from '../../scheme/model/structural-schema.ts';
import { validateStructural } from '../../scheme/structural/validate-structural.ts';
import { propertiesOf, schemaIn } from './schema-parts.ts';

/**
 * The errors of the defaults in a structural schema. Each default must satisfy its own schema and
 * have no unknown fields. `isDetailed`: see `Report`.
 */
export function checkDefaults(path: string, schema: JsonObject, isDetailed: boolean): readonly FieldError[] {
  return defaultErrors(path, schema, { isRoot: true, isDetailed, effort: { left: effortLimit } });
}

/**
 * The maximum number of comparisons for one schema. Beyond it nothing is checked; without a limit
 * every rule could meet every value.
 */
const effortLimit = 20_000;

interface DefaultPosition {
  readonly isRoot: boolean;
  readonly isDetailed: boolean;
  readonly effort: { left: number };
}

/** Defaults of additional properties are not checked, because they are never applied. */
function defaultErrors(path: string, schema: JsonObject, position: DefaultPosition): readonly FieldError[] {
  const value = getOwn(schema, 'default');
  return allErrors(
    value === undefined || value === null ? noErrors : valueErrors(`${path}.default`, schema, value, position),
    errorsOfEach([...schemaIn(path, schema, 'items'), ...propertiesOf(path, schema)], ([at, part]) =>
      defaultErrors(at, part, { ...position, isRoot: false }),
    ),
  );
}

function valueErrors(
  field: string,
  schema: JsonObject,
  value: JsonValue,
  { isRoot, isDetailed, effort }: DefaultPosition,
): readonly FieldError[] {
  const isObject = isRoot || hasExtension(schema, 'embedded-resource');
  const identity = isObject && isJsonObject(value) ? identityErrors(field, value) : noErrors;
  const embedded = embeddedObjectErrors(compileStructuralSchema(schema), value).map((error) => ({
    ...error,
    field: `${field}.${error.field}`,
  }));
  return allErrors(
    hasUnknown(schema, value) ? [invalid(field, value, 'must not have unknown fields')] : noErrors,
    identity,
    embedded,
    identity.length > 0 || embedded.length > 0
      ? noErrors
      : validateStructural(schema, value, { base: field, effort, isDetailed }),
  );
}

/** Requires `apiVersion` and `kind` in the default of a whole object. */
function identityErrors(field: string, value: JsonObject): readonly FieldError[] {
  return ['apiVersion', 'kind']
    .filter((name) => (getOwn(value, name) ?? '') === '')
    .map((name) => required(`${field}.${name}`, 'must not be empty'));
}

const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** True if a value has fields that pruning would remove. */
function hasUnknown(schema: JsonObject, value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some((item) => hasUnknown(objectAt(schema, 'items'), item));
  if (!isJsonObject(value)) return false;
  const embedded = hasExtension(schema, 'embedded-resource');
  return Object.entries(value).some(([name, part]) => {
    const known = partFor(schema, name);
    if (known) return hasUnknown(known, part);
    return known === undefined && !(embedded && identity.has(name)) && !hasExtension(schema, 'preserve-unknown-fields');
  });
}

/** The schema of a field. Null if the field may have any value, undefined if it is not defined. */
function partFor(schema: JsonObject, name: string): JsonObject | null | undefined {
  const named = getOwn(objectAt(schema, 'properties'), name);
  if (named !== undefined && isJsonObject(named)) return named;
  const others = getOwn(schema, 'additionalProperties');
  if (others === true) return null;
  return others !== undefined && isJsonObject(others) ? others : undefined;
}
