import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { type FieldError, invalid, notSupported, required } from '../status/field-error.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, ScalarSchema, Schema } from './schema.ts';
import { isSettledPart } from './settled-parts.ts';
import { validateFormat } from './validate-format.ts';

/**
 * Checks a decoded object with its defaults against the rules of its schema: required fields, enumerations, formats and
 * bounds. Returns every error, in schema order, in the words of kube-apiserver. Rules that relate fields to each other
 * belong to strategies. `path` stands before every path that is reported. Parts that `value` shares with `checked` are not looked at.
 */
export function validateSchema(
  schema: ObjectSchema,
  value: JsonObject,
  { path = '', checked }: { readonly path?: string; readonly checked?: JsonObject } = {},
): FieldError[] {
  const errors: FieldError[] = [];
  const steps = planOf(schema);
  checkFields(checked ? steps.filter(({ name }) => !isShared(value[name], checked[name])) : steps, value, path, errors);
  return errors;
}

function isShared(part: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return part === other && typeof part === 'object';
}

type Check = (value: JsonValue, path: string, errors: FieldError[]) => void;

/** A field with a rule, or that leads to one. */
interface Step {
  readonly name: string;
  readonly required: boolean;
  readonly checkedWhenMissing: boolean;
  readonly requiredDetail: string | undefined;
  readonly check: Check;
}

/** A cache, not state: plans follow from schemas alone. */
const plans = new WeakMap<ObjectSchema, readonly Step[]>();

function planOf(schema: ObjectSchema): readonly Step[] {
  let plan = plans.get(schema);
  if (!plan) {
    plan = [...schema.fields.values()].filter((field) => hasRules(field, new Set())).map(compileStep);
    plans.set(schema, plan);
  }
  return plan;
}

function hasRules(field: Field, seen: Set<Schema>): boolean {
  return field.required || leadsToRules(field.schema, seen);
}

function leadsToRules(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (schema.type === 'list') return leadsToRules(schema.items, seen);
  if (schema.type === 'map') return schema.keyFormat !== undefined || leadsToRules(schema.values, seen);
  if (schema.type === 'object') return [...schema.fields.values()].some((field) => hasRules(field, seen));
  return scalarChecks(schema).length > 0;
}

function compileStep(field: Field): Step {
  let check: Check | undefined;
  return {
    name: field.name,
    required: field.required,
    checkedWhenMissing: field.checkedWhenMissing === true,
    requiredDetail: field.requiredDetail,
    // An empty text that means something is checked (a class name ''); elsewhere it stands for none.
    check: (value, path, errors) => {
      check ??= checkOf(field.schema);
      const counts =
        field.explicit || field.checkedWhenMissing || (value !== '' && (value !== 0 || field.alwaysPresent));
      if (counts) check(value, path, errors);
    },
  };
}

function checkFields(steps: readonly Step[], value: JsonObject, path: string, errors: FieldError[]): void {
  for (const step of steps) {
    const given = value[step.name];
    if (given === undefined || given === null || (step.required && isEmpty(given))) {
      if (step.checkedWhenMissing) step.check('', join(path, step.name), errors);
      else if (step.required) errors.push(required(join(path, step.name), step.requiredDetail));
    } else step.check(given, join(path, step.name), errors);
  }
}

function isEmpty(value: JsonValue): boolean {
  return value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function checkOf(schema: Schema): Check {
  if (schema.type === 'object') return objectCheck(schema);
  if (schema.type === 'list') return listCheck(schema);
  if (schema.type === 'map') return mapCheck(schema);
  return scalarCheck(schema);
}

function listCheck({ items }: ListSchema): Check {
  const item = checkOf(items);
  return (value, path, errors) => {
    if (Array.isArray(value)) value.forEach((part, index) => item(part, `${path}[${index}]`, errors));
  };
}

function mapCheck({ keyFormat, values }: MapSchema): Check {
  const item = checkOf(values);
  // The errors of labels stand at the map, those of other maps at the key.
  const keyed = keyFormat !== 'label-key';
  return (value, path, errors) => {
    if (!isJsonObject(value)) return;
    for (const key of Object.keys(value)) {
      const part = value[key] ?? null;
      const at = keyed ? `${path}[${key}]` : path;
      if (keyFormat) for (const message of validateFormat(keyFormat, key)) errors.push(invalid(at, key, message));
      item(part, at, errors);
    }
  };
}

function objectCheck(schema: ObjectSchema): Check {
  let steps: readonly Step[] | undefined;
  return (value, path, errors) => {
    // Compiled when the first value arrives: messages recurse.
    steps ??= planOf(schema);
    if (isJsonObject(value) && !isSettledPart(value, schema)) checkFields(steps, value, path, errors);
  };
}

function scalarCheck(schema: ScalarSchema): Check {
  const checks = scalarChecks(schema);
  return (value, path, errors) => {
    for (const check of checks) check(value, path, errors);
  };
}

function scalarChecks(schema: ScalarSchema): readonly Check[] {
  return [...enumChecks(schema), ...formatChecks(schema), ...boundChecks(schema), ...lengthChecks(schema)];
}

function enumChecks({ enum: supported, enumDetail }: ScalarSchema): Check[] {
  if (!supported) return [];
  return [
    (value, path, errors) => {
      if (typeof value !== 'string' || supported.includes(value)) return;
      errors.push(enumDetail ? invalid(path, value, enumDetail) : notSupported(path, value, supported));
    },
  ];
}

function formatChecks({ format }: ScalarSchema): Check[] {
  if (!format) return [];
  return [
    (value, path, errors) => {
      if (typeof value !== 'string') return;
      for (const message of validateFormat(format, value)) errors.push(invalid(path, value, message));
    },
  ];
}

function boundChecks({ minimum, maximum, boundsDetail }: ScalarSchema): Check[] {
  if (minimum === undefined && maximum === undefined) return [];
  const message = boundsDetail ?? boundMessage(minimum, maximum);
  return [
    (value, path, errors) => {
      if (typeof value !== 'number' && typeof value !== 'bigint') return;
      const below = minimum !== undefined && value < minimum;
      const above = maximum !== undefined && value > maximum;
      if (below || above) errors.push(invalid(path, value, message));
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
    (value, path, errors) => {
      if (typeof value === 'string' && Array.from(value).length > maxLength) {
        errors.push(invalid(path, value, `must be no more than ${maxLength} characters`));
      }
    },
  ];
}
