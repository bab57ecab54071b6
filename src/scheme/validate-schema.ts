import { memoize } from '../meta/memoize.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { objectAt } from '../meta/read-field.ts';
import { collectedErrorLimit, noErrors, allErrors } from '../status/all-errors.ts';
import { type FieldError, invalid, notSupported, required } from '../status/field-error.ts';
import { formatPath, keyStep, type PathStep } from './model/format-path.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, ScalarSchema, Schema } from './model/schema.ts';
import { isValidatedPart } from './validated-parts.ts';
import { validateFormat } from './validate-format.ts';
import type { StructuralSchema } from './model/structural-schema.ts';
import { repeatedItems, validateEmbedded } from './structural/validate-items.ts';
import { validateStructural } from './structural/validate-structural.ts';

interface SchemaValidationOptions {
  readonly path?: string;
  readonly checked?: JsonObject;
  readonly old?: JsonObject;
  readonly isStatus?: boolean;
}

/**
 * Validates a decoded and defaulted object against its schema: required fields, enumerations,
 * formats and bounds. Returns all errors in schema order, with the messages of kube-apiserver.
 * Rules between fields belong to strategies. `path` is the prefix of all reported paths. Top-level
 * fields that `value` shares with `checked` are skipped. An object of a custom kind may keep
 * invalid values of `old` if its release allows that for objects or, with `isStatus`, for writes of
 * the status.
 */
export function validateSchema(
  schema: ObjectSchema,
  value: JsonObject,
  { path = '', checked, old, isStatus = false }: SchemaValidationOptions = {},
): readonly FieldError[] {
  if (schema.structural) return validateCustom(schema.structural, value, { old, isStatus });
  const position: CheckPosition = { base: path, steps: [], errors: undefined };
  const steps = planOf(schema);
  checkFields(checked ? steps.filter(({ name }) => !isShared(value[name], checked[name])) : steps, value, position);
  return position.errors ?? noErrors;
}

function isShared(part: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return part === other && typeof part === 'object';
}

/**
 * The position of a check and the errors found. Checks push and pop steps; paths are formatted
 * only when needed.
 */
interface CheckPosition {
  readonly base: string;
  readonly steps: PathStep[];
  errors: FieldError[] | undefined;
}

function pathOf({ base, steps }: CheckPosition): string {
  return formatPath(base, steps);
}

function report(position: CheckPosition, error: FieldError): void {
  position.errors ??= [];
  position.errors.push(error);
}

/** Reports whether the limit of collected errors is reached. */
function isFull({ errors }: CheckPosition): boolean {
  return errors !== undefined && errors.length >= collectedErrorLimit;
}

type Check = (value: JsonValue, position: CheckPosition) => void;

/** A field with a rule, or with rules below it. */
interface FieldCheck {
  readonly name: string;
  readonly required: boolean;
  readonly checkedWhenMissing: boolean;
  readonly requiredDetail: string | undefined;
  readonly check: Check;
}

/** A pure cache: plans depend on schemas only. */
const planOf = memoize((schema: ObjectSchema): readonly FieldCheck[] =>
  [...schema.fields.values()].filter((field) => hasRules(field, new Set())).map(compileStep),
);

function hasRules(field: Field, seen: Set<Schema>): boolean {
  return !field.unchecked && (field.required || leadsToRules(field.schema, seen));
}

function leadsToRules(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (schema.type === 'list') return leadsToRules(schema.items, seen);
  if (schema.type === 'map') return schema.keyFormat !== undefined || leadsToRules(schema.values, seen);
  if (schema.type === 'object') return [...schema.fields.values()].some((field) => hasRules(field, seen));
  return scalarChecks(schema).length > 0;
}

function compileStep(field: Field): FieldCheck {
  let check: Check | undefined;
  return {
    name: field.name,
    required: field.required,
    checkedWhenMissing: field.checkedWhenMissing === true,
    requiredDetail: field.requiredDetail,
    // An empty value with a meaning is checked (a class name ''); other empty values count as
    // absent.
    check: (value, position) => {
      check ??= checkOf(field.schema);
      const counts =
        field.explicit || field.checkedWhenMissing || (value !== '' && (value !== 0 || field.alwaysPresent));
      if (counts) check(value, position);
    },
  };
}

function checkFields(steps: readonly FieldCheck[], value: JsonObject, position: CheckPosition): void {
  for (const step of steps) {
    const given = value[step.name];
    const isMissing = given === undefined || given === null || (step.required && isEmpty(given));
    if (isMissing && !step.required && !step.checkedWhenMissing) continue;
    position.steps.push(step.name);
    if (!isMissing) step.check(given, position);
    else if (step.checkedWhenMissing) step.check('', position);
    else report(position, required(pathOf(position), step.requiredDetail));
    position.steps.pop();
  }
}

function isEmpty(value: JsonValue): boolean {
  return value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}

function checkOf(schema: Schema): Check {
  if (schema.type === 'object') return objectCheck(schema);
  if (schema.type === 'list') return listCheck(schema);
  if (schema.type === 'map') return mapCheck(schema);
  return scalarCheck(schema);
}

function listCheck({ items }: ListSchema): Check {
  const item = checkOf(items);
  return (value, position) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length && !isFull(position); index++) {
      position.steps.push(index);
      item(value[index] ?? null, position);
      position.steps.pop();
    }
  };
}

function mapCheck({ keyFormat, values }: MapSchema): Check {
  const item = checkOf(values);
  return (value, position) => {
    if (!isJsonObject(value)) return;
    for (const key of Object.keys(value)) {
      if (isFull(position)) return;
      position.steps.push(keyStep(key));
      if (keyFormat) reportMessages(position, key, validateFormat(keyFormat, key));
      item(value[key] ?? null, position);
      position.steps.pop();
    }
  };
}

function reportMessages(position: CheckPosition, text: string, messages: readonly string[]): void {
  for (const message of messages) report(position, invalid(pathOf(position), text, message));
}

function objectCheck(schema: ObjectSchema): Check {
  let steps: readonly FieldCheck[] | undefined;
  return (value, position) => {
    // Compiled on first use, because messages recurse.
    steps ??= planOf(schema);
    if (isJsonObject(value) && !isValidatedPart(value, schema)) checkFields(steps, value, position);
  };
}

function scalarCheck(schema: ScalarSchema): Check {
  const checks = scalarChecks(schema);
  return (value, position) => {
    for (const check of checks) check(value, position);
  };
}

function scalarChecks(schema: ScalarSchema): readonly Check[] {
  return [...enumChecks(schema), ...formatChecks(schema), ...boundChecks(schema), ...lengthChecks(schema)];
}

function enumChecks({ enum: supported, enumDetail }: ScalarSchema): Check[] {
  if (!supported) return [];
  return [
    (value, position) => {
      if (typeof value !== 'string' || supported.includes(value)) return;
      const field = pathOf(position);
      report(position, enumDetail ? invalid(field, value, enumDetail) : notSupported(field, value, supported));
    },
  ];
}

function formatChecks({ format }: ScalarSchema): Check[] {
  if (!format) return [];
  return [
    (value, position) => {
      if (typeof value !== 'string') return;
      reportMessages(position, value, validateFormat(format, value));
    },
  ];
}

function boundChecks({ minimum, maximum, boundsDetail }: ScalarSchema): Check[] {
  if (minimum === undefined && maximum === undefined) return [];
  const message = boundsDetail ?? boundMessage(minimum, maximum);
  return [
    (value, position) => {
      if (typeof value !== 'number' && typeof value !== 'bigint') return;
      const below = minimum !== undefined && value < minimum;
      const above = maximum !== undefined && value > maximum;
      if (below || above) report(position, invalid(pathOf(position), value, message));
    },
  ];
}

function boundMessage(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return `must be less than or equal to ${maximum}`;
  return maximum === undefined
    ? `must be greater than or equal to ${minimum}`
    : `must be between ${minimum} and ${maximum}, inclusive`;
}

function lengthChecks({ maxLength }: ScalarSchema): Check[] {
  if (maxLength === undefined) return [];
  return [
    (value, position) => {
      if (typeof value === 'string' && Array.from(value).length > maxLength) {
        report(position, invalid(pathOf(position), value, `must be no more than ${maxLength} characters`));
      }
    },
  ];
}

/**
 * Returns all errors of an object of a custom kind, except the errors of its metadata. An update,
 * of `old`, may keep values that its schema no longer allows.
 */
function validateCustom(
  schema: StructuralSchema,
  object: JsonObject,
  { old, isStatus }: { readonly old: JsonObject | undefined; readonly isStatus: boolean },
): readonly FieldError[] {
  const repeated = repeatedItems(schema, object);
  const kept = old && keptValues(schema, old, isStatus);
  return allErrors(
    structuralErrors(schema, object, { kept, isStatus }),
    validateEmbedded(schema, object),
    old && repeated.length > 0 && repeatedItems(schema, old).length > 0 ? noErrors : repeated,
  );
}

function structuralErrors(
  { source, namesInStatus, hasDetailedErrors }: StructuralSchema,
  object: JsonObject,
  { kept, isStatus }: { readonly kept: JsonObject | undefined; readonly isStatus: boolean },
): readonly FieldError[] {
  const isDetailed = hasDetailedErrors === true;
  if (!isStatus || !namesInStatus) return validateStructural(source, object, { old: kept, isDetailed });
  const status = getOwn(object, 'status');
  if (status === undefined) return noErrors;
  const part = objectAt(objectAt(source, 'properties'), 'status');
  return validateStructural(part, status, { old: kept && getOwn(kept, 'status'), isDetailed });
}

/** The old values that an update may keep although the schema no longer allows them. */
function keptValues({ checksUnchanged }: StructuralSchema, old: JsonObject, isStatus: boolean): JsonObject | undefined {
  if (!checksUnchanged) return old;
  const { ofObjects, ofStatus } = checksUnchanged;
  if (!isStatus) return ofObjects ? undefined : old;
  if (ofStatus === 'object') return undefined;
  if (ofStatus === 'none') return old;
  const { status: _, ...others } = old;
  return others;
}
