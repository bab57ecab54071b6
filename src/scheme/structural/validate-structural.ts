import { equalValues } from '../model/equal-values.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { isSet, isTrue, numberAt, objectsAt, sameValue, stringAt, stringsAt } from '../../meta/read-field.ts';
import { type FieldError, invalid, notSupported, required, tooMany } from '../../status/field-error.ts';
import { collectedErrorLimit } from '../../status/all-errors.ts';
import { hasExtension } from '../model/structural-schema.ts';
import { numberRules } from './number-rules.ts';
import { correlate } from './correlate-items.ts';
import { formatRules, textRules } from './text-rules.ts';
import {
  add,
  broken,
  itemOf,
  oversized,
  type Effort,
  pathOf,
  type Report,
  type Rule,
  type ValueCheck,
  within,
  wrongType,
} from './value-check.ts';
import { memoize } from '../../meta/memoize.ts';

/** Objects of a real operator need some thousands. Beyond it an object is refused. */
const mostComparisons = 1_000_000;
/** About a tenth of a second. Patterns of names in thousands of texts take a tenth of it. */
const mostMatching = 10_000_000;

interface ValidationOptions {
  readonly base?: string;
  readonly effort?: { left: number };
  readonly old?: JsonValue | undefined;
  /** See `Report`. */
  readonly isDetailed?: boolean;
}

/**
 * Checks a value against the rules of a JSON schema: types, enumerations, limits, patterns, formats
 * and combinations. Returns all errors with the messages of kube-apiserver. Rules are compiled once
 * for a schema; patterns take linear time. `base` is the path of the value. `effort` limits the
 * number of comparisons; the rest counts as valid. Values that are unchanged from `old` are valid,
 * so that a schema can become stricter; combinations only compare whole values.
 */
export function validateStructural(
  schema: JsonObject,
  value: JsonValue,
  { base = '', effort, old, isDetailed = false }: ValidationOptions = {},
): readonly FieldError[] {
  const own: Effort = { left: effort?.left ?? mostComparisons, matching: mostMatching };
  const errors: FieldError[] = [];
  const report: Report = { base, errors, isBroken: false, effort: own, isDetailed };
  ruleOf(schema)(value, { name: '', report, old });
  if (effort) effort.left = own.left;
  else if (own.left < 0) errors.push(invalid('<nil>', '', 'has too many values for the rules of its schema'));
  return errors;
}

const ruleOf = memoize(compileRule);

/** The rule of a part, compiled when the first value of it is checked. */
function lazyRule(schema: JsonObject): Rule {
  let rule: Rule | undefined;
  return (value, check) => (rule ??= ruleOf(schema))(value, check);
}

function compileRule(schema: JsonObject): Rule {
  const isNullable = isTrue(schema, 'nullable');
  const types = typesOf(schema);
  const cost = 1 + (listAt(schema, 'enum')?.length ?? 0) + stringsAt(schema, 'required').length;
  const format = stringAt(schema, 'format');
  const ofEnum = enumRules(schema);
  const own = [
    ...textRules(schema),
    ...formatRules(format),
    ...numberRules(schema, types),
    ...listRules(schema),
    ...ofEnum,
    ...objectRules(schema),
    ...combinationRules(schema),
  ];
  return (value, check) => {
    if (isExhausted(check.report, cost, value)) return;
    if (check.old !== undefined && equalValues(check.old, value)) return;
    if (types.length > 0 && !(value === null && isNullable)) checkType({ types, format }, value, check);
    for (const rule of value === null ? ofEnum : own) rule(value, check);
  };
}

/** The Go types of values, for errors of schemas with a format. */
const goTypes: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

function checkType(
  { types, format }: { readonly types: readonly string[]; readonly format: string },
  value: JsonValue,
  check: ValueCheck,
): void {
  const type = typeOf(value);
  if (types.some((allowed) => isOfType(type, allowed))) return;
  const isText = type === 'string' || type === 'array';
  if (format === '' || type === 'null') return wrongType(check, type, `${types.join(',')}: "${type}"`);
  const isNumeric = types.includes('integer') || types.includes('number');
  if (!isText) {
    const given = goTypes[type] ?? '';
    wrongType(check, given, `${format}: "${given}"`);
  } else if (isNumeric) wrongType(check, type, `${types.join(',')}: "${type}"`);
  // A list is accepted in place of a string with a format, as in kube-apiserver.
}

/** The number of characters that cost as much as one comparison. */
const charactersPerComparison = 64;

function isExhausted({ errors, isBroken, effort }: Report, cost: number, value: JsonValue): boolean {
  if (errors ? errors.length >= collectedErrorLimit : isBroken) return true;
  effort.left -= cost + (typeof value === 'string' ? value.length / charactersPerComparison : 0);
  return effort.left < 0;
}

function typesOf(schema: JsonObject): readonly string[] {
  if (hasExtension(schema, 'int-or-string')) return ['integer', 'string'];
  const type = stringAt(schema, 'type');
  return type === '' ? [] : [type];
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return isLong(value) ? 'integer' : 'number';
  if (typeof value === 'number') return Number.isInteger(value) && isLong(value) ? 'integer' : 'number';
  return typeof value;
}

/** Reports whether a whole number fits the 64 bits of Go's integers. */
function isLong(value: bigint | number): boolean {
  if (Number.isSafeInteger(value)) return true;
  return value >= -(2n ** 63n) && value < 2n ** 63n;
}

function isOfType(type: string, allowed: string): boolean {
  return type === allowed || (type === 'integer' && allowed === 'number');
}

function listAt(schema: JsonObject, name: string): readonly JsonValue[] | undefined {
  const value = getOwn(schema, name);
  return Array.isArray(value) ? value : undefined;
}

function schemaAt(schema: JsonObject, name: string): JsonObject | undefined {
  const value = getOwn(schema, name);
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

function enumRules(schema: JsonObject): Rule[] {
  const allowed = listAt(schema, 'enum');
  if (!allowed) return [];
  const shown = allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  return [
    (value, check) => {
      if (!allowed.some((one) => sameValue(one, value))) add(check, () => notSupported(pathOf(check), value, shown));
    },
  ];
}

function listRules(schema: JsonObject): Rule[] {
  const [most, least] = [numberAt(schema, 'maxItems'), numberAt(schema, 'minItems')];
  const items = schemaAt(schema, 'items');
  if (!items && most === undefined && least === undefined) return [];
  const rule = items && lazyRule(items);
  return [
    (value, check) => {
      if (!Array.isArray(value)) return;
      if (rule) {
        const oldItemOf = correlate(schema, check.old);
        for (const [index, item] of value.entries()) rule(item, itemOf(check, index, oldItemOf?.(item)));
      }
      const { length } = value;
      if (least !== undefined && length < least) broken(check, length, `have at least ${least} items`);
      if (most !== undefined && length > most) {
        oversized(check, length, `have at most ${most} items`, (path) => tooMany(path, length, most));
      }
    },
  ];
}

function objectRules(schema: JsonObject): Rule[] {
  const [most, least] = [numberAt(schema, 'maxProperties'), numberAt(schema, 'minProperties')];
  const properties = new Map(
    Object.entries(schemaAt(schema, 'properties') ?? {}).flatMap(([name, part]) =>
      isJsonObject(part) ? [[name, lazyRule(part)] as const] : [],
    ),
  );
  const additional = schemaAt(schema, 'additionalProperties');
  const others = additional && lazyRule(additional);
  const needed = stringsAt(schema, 'required');
  return [
    (value, check) => {
      if (!isJsonObject(value)) return;
      const names = Object.keys(value);
      if (least !== undefined && names.length < least) {
        broken(check, check.report.isDetailed ? names.length : least, `have at least ${least} properties`);
      }
      if (most !== undefined && names.length > most) {
        oversized(check, most, `have at most ${most} properties`, (path) => tooMany(path, names.length, most));
      }
      for (const name of needed) {
        if (!Object.hasOwn(value, name)) add(check, () => required(pathOf(within(check, name))));
      }
      for (const name of names) {
        const known = properties.get(name);
        const part = known ?? others;
        if (!part) continue;
        // kube-apiserver begins the name of an additional property with a dot, if it is the first.
        const inside = within(check, name);
        part(value[name] ?? null, known ? inside : { ...inside, name: `${check.name}.${name}` });
      }
    },
  ];
}

/** Reports whether a value meets a schema. */
function meets(schema: JsonObject, value: JsonValue, check: ValueCheck): boolean {
  const { base, effort, isDetailed } = check.report;
  const report: Report = { base, errors: undefined, isBroken: false, effort, isDetailed };
  ruleOf(schema)(value, { name: check.name, report });
  return !report.isBroken;
}

/** Reports the errors that a schema finds in a value. */
function addErrorsOf(schema: JsonObject | undefined, value: JsonValue, { name, report }: ValueCheck): void {
  if (schema && report.errors) ruleOf(schema)(value, { name, report });
}

function combinationRules(schema: JsonObject): Rule[] {
  const [all, any, one] = ['allOf', 'anyOf', 'oneOf'].map((name) => objectsAt(schema, name));
  const not = isSet(schema, 'not') ? schemaAt(schema, 'not') : undefined;
  return [
    ...(any && any.length > 0 ? [anyRule(any)] : []),
    ...(one && one.length > 0 ? [oneRule(one)] : []),
    ...(all && all.length > 0 ? [allRule(all)] : []),
    ...(not ? [notRule(not)] : []),
  ];
}

/** An error of a combination has no path inside the value, as in kube-apiserver. */
function unmet(check: ValueCheck, why: string): void {
  const { base } = check.report;
  add(check, () => invalid(base === '' ? '<nil>' : base, '', `${JSON.stringify(check.name)} must ${why}`));
}

function anyRule(schemas: readonly JsonObject[]): Rule {
  return (value, check) => {
    if (schemas.some((schema) => meets(schema, value, check))) return;
    unmet(check, 'validate at least one schema (anyOf)');
    addErrorsOf(schemas[0], value, check);
  };
}

function oneRule(schemas: readonly JsonObject[]): Rule {
  return (value, check) => {
    const valid = schemas.filter((schema) => meets(schema, value, check)).length;
    if (valid === 1) return;
    const what = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    unmet(check, `validate one and only one schema (oneOf). ${what}`);
    if (valid === 0) addErrorsOf(schemas[0], value, check);
  };
}

function allRule(schemas: readonly JsonObject[]): Rule {
  return (value, check) => {
    const failed = schemas.filter((schema) => !meets(schema, value, check));
    for (const schema of failed) addErrorsOf(schema, value, check);
    const none = failed.length === schemas.length ? '. None validated' : '';
    if (failed.length > 0) unmet(check, `validate all the schemas (allOf)${none}`);
  };
}

function notRule(schema: JsonObject): Rule {
  return (value, check) => {
    if (meets(schema, value, check)) unmet(check, 'not validate the schema (not)');
  };
}
