import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { identityOfValue } from '../../meta/read-field.ts';
import { duplicate, type FieldError, required } from '../../status/field-error.ts';
import { collectedErrorLimit } from '../../status/all-errors.ts';
import { formatPath, keyStep, type PathStep } from '../model/format-path.ts';
import type { StructuralSchema } from '../model/structural-schema.ts';

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

function errorsOf(schema: StructuralSchema, value: JsonValue, subject: Subject): readonly FieldError[] {
  const check: ItemCheck = { subject, steps: [], errors: [] };
  checkValue(schema, value, check);
  return check.errors;
}

type Subject = ItemCheck['subject'];

/** Pure caches: they depend on schemas only. */
const inNeed: Readonly<Record<Subject, WeakMap<StructuralSchema, boolean>>> = {
  items: new WeakMap(),
  embedded: new WeakMap(),
};

/** Reports whether a schema, or a part of it, has rules for a subject. */
function hasRules(schema: StructuralSchema, subject: Subject): boolean {
  let has = inNeed[subject].get(schema);
  if (has === undefined) {
    const { properties, additional, items, listType, embedded } = schema;
    const parts = [
      ...properties.values(),
      ...(typeof additional === 'object' ? [additional] : []),
      ...(items ? [items] : []),
    ];
    const own = subject === 'items' ? listType !== 'atomic' : embedded;
    has = own || parts.some((part) => hasRules(part, subject));
    inNeed[subject].set(schema, has);
  }
  return has;
}

function checkValue(schema: StructuralSchema, value: JsonValue, check: ItemCheck): void {
  if (typeof value !== 'object' || value === null) return;
  if (check.errors.length >= collectedErrorLimit || !hasRules(schema, check.subject)) return;
  if (Array.isArray(value)) checkList(schema, value, check);
  else if (isJsonObject(value)) checkObject(schema, value, check);
}

function checkObject(schema: StructuralSchema, value: JsonObject, check: ItemCheck): void {
  const { properties, additional } = schema;
  if (schema.embedded && check.subject === 'embedded') checkIdentity(value, check);
  for (const name of Object.keys(value)) {
    const known = properties.get(name);
    const part = known ?? (additional === true ? undefined : additional);
    if (part) below(check, known ? name : keyStep(name), part, value[name] ?? null);
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
  if (items) for (let index = 0; index < list.length; index++) below(check, index, items, list[index] ?? null);
  if (listType === 'atomic' || check.subject !== 'items' || list.length < 2) return;
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const shown = listType === 'set' ? item : keysOf(schema, item);
    const identity = identityOfValue(shown);
    if (seen.has(identity)) check.errors.push(duplicate(formatPath('', [...check.steps, index]), shown));
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

function below(check: ItemCheck, step: PathStep, schema: StructuralSchema, value: JsonValue): void {
  check.steps.push(step);
  checkValue(schema, value, check);
  check.steps.pop();
}
