import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { identityOfValue } from '../../meta/read-field.ts';
import { duplicate, duplicateShown, type FieldError, required } from '../../status/field-error.ts';
import { collectedErrorLimit } from '../../status/all-errors.ts';
import { formatPath, keyStep, type PathStep } from '../field-path.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** The place of a value, and the errors found. */
interface ItemCheck {
  /** The checked values: items of lists, or whole objects inside others. */
  readonly subject: 'items' | 'embedded';
  readonly steps: PathStep[];
  readonly errors: FieldError[];
}

/** The errors of items that lists of the types `set` and `map` have twice. */
export function repeatedItems(schema: StructuralSchema, value: JsonValue): readonly FieldError[] {
  return errorsOf(schema, value, 'items');
}

/** The errors of whole objects inside others, which have an apiVersion and a kind. */
export function validateEmbedded(schema: StructuralSchema, value: JsonValue): readonly FieldError[] {
  return errorsOf(schema, value, 'embedded');
}

function errorsOf(schema: StructuralSchema, value: JsonValue, subject: ItemCheck['subject']): readonly FieldError[] {
  const check: ItemCheck = { subject, steps: [], errors: [] };
  checkValue(schema, value, check);
  return check.errors;
}

/** A pure cache: it depends on schemas only. */
const inNeed = new WeakMap<StructuralSchema, boolean>();

/** Reports whether a schema has such a rule. */
function hasRules(schema: StructuralSchema): boolean {
  let has = inNeed.get(schema);
  if (has === undefined) {
    const { properties, additional, items, listType, embedded } = schema;
    const parts = [
      ...properties.values(),
      ...(typeof additional === 'object' ? [additional] : []),
      ...(items ? [items] : []),
    ];
    has = listType !== 'atomic' || embedded || parts.some(hasRules);
    inNeed.set(schema, has);
  }
  return has;
}

function checkValue(schema: StructuralSchema, value: JsonValue, check: ItemCheck): void {
  if (check.errors.length >= collectedErrorLimit || !hasRules(schema)) return;
  if (Array.isArray(value)) checkList(schema, value, check);
  else if (isJsonObject(value)) checkObject(schema, value, check);
}

function checkObject(schema: StructuralSchema, value: JsonObject, check: ItemCheck): void {
  if (schema.embedded && check.subject === 'embedded') checkIdentity(value, check);
  for (const [name, part] of Object.entries(value)) {
    const known = schema.properties.get(name);
    const other = schema.additional === true ? undefined : schema.additional;
    if (known) below(check, name, () => checkValue(known, part, check));
    else if (other) below(check, keyStep(name), () => checkValue(other, part, check));
  }
}

function checkIdentity(value: JsonObject, check: ItemCheck): void {
  for (const name of ['apiVersion', 'kind']) {
    if ((getOwn(value, name) ?? '') !== '') continue;
    check.errors.push(required(formatPath('', [...check.steps, name]), 'must not be empty'));
  }
}

function checkList(schema: StructuralSchema, list: readonly JsonValue[], check: ItemCheck): void {
  const { items, listType } = schema;
  if (items) for (const [index, item] of list.entries()) below(check, index, () => checkValue(items, item, check));
  if (listType === 'atomic' || check.subject !== 'items') return;
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const shown = listType === 'set' ? item : keysOf(schema, item);
    const identity = identityOfValue(shown);
    if (seen.has(identity)) check.errors.push(repeated(formatPath('', [...check.steps, index]), shown));
    seen.add(identity);
  }
}

/** The key fields of an item; a missing one has its default. */
function keysOf({ mapKeys, items }: StructuralSchema, item: JsonValue): JsonObject {
  const object = isJsonObject(item) ? item : {};
  return Object.fromEntries(
    mapKeys.flatMap((key) => {
      const value = getOwn(object, key) ?? items?.properties.get(key)?.default;
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function repeated(field: string, value: JsonValue): FieldError {
  return isJsonObject(value) ? duplicateShown(field, goMap(value)) : duplicate(field, value);
}

/** A map as Go prints it. */
function goMap(value: JsonObject): string {
  const entries = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${JSON.stringify(value[key])}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}

function below({ steps }: ItemCheck, step: PathStep, work: () => void): void {
  steps.push(step);
  work();
  steps.pop();
}
