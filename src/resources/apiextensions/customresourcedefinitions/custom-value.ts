import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import {
  isSet,
  isTrue,
  numberAt,
  objectAt,
  objectsAt,
  sameValue,
  stringAt,
  stringsAt,
} from '../../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, invalidShown, notSupported, required } from '../../../status/field-error.ts';
import { hasExtension } from './schema-extension.ts';

/** The position of a value: its field in the document, and its name in the checked value. */
interface ValuePosition {
  readonly field: string;
  readonly name: string;
  readonly effort: Effort;
}

/** The remaining budget of comparisons. */
export interface Effort {
  left: number;
}

/**
 * All violations of a structural schema by a value. Patterns and formats are not checked, because
 * the pattern of a client may take unbounded time.
 */
export function checkCustomValue(
  field: string,
  schema: JsonObject,
  value: JsonValue,
  effort: Effort,
): readonly FieldError[] {
  return valueErrors({ field, name: '', effort }, schema, value);
}

/** The number of characters that cost as much as one comparison. */
const charactersPerValue = 64;

function costOf(schema: JsonObject, value: JsonValue): number {
  const allowed = getOwn(schema, 'enum');
  const length = typeof value === 'string' ? value.length / charactersPerValue : 0;
  return 1 + length + (Array.isArray(allowed) ? allowed.length : 0) + stringsAt(schema, 'required').length;
}

function valueErrors(position: ValuePosition, schema: JsonObject, value: JsonValue): readonly FieldError[] {
  position.effort.left -= costOf(schema, value);
  if (position.effort.left < 0) return noErrors;
  if (value === null && isTrue(schema, 'nullable')) return noErrors;
  const type = stringAt(schema, 'type');
  const own = typeOf(value);
  if (type !== '' && !hasExtension(schema, 'int-or-string') && !isOfType(own, type)) {
    return [invalid(position.field, own, `${position.name} in body must be of type ${type}: ${JSON.stringify(own)}`)];
  }
  return allErrors(
    enumErrors(position, schema, value),
    typeof value === 'number' || typeof value === 'bigint' ? numberErrors(position, schema, Number(value)) : noErrors,
    typeof value === 'string' ? lengthErrors(position, schema, value) : noErrors,
    Array.isArray(value) ? listErrors(position, schema, value) : noErrors,
    isJsonObject(value) ? objectErrors(position, schema, value) : noErrors,
    combinationErrors(position, schema, value),
  );
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function isOfType(own: string, type: string): boolean {
  return own === type || (own === 'integer' && type === 'number');
}

function enumErrors({ field }: ValuePosition, schema: JsonObject, value: JsonValue): readonly FieldError[] {
  const allowed = getOwn(schema, 'enum');
  if (!Array.isArray(allowed) || allowed.some((one) => sameValue(one, value))) return noErrors;
  return [
    notSupported(
      field,
      value,
      allowed.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
    ),
  ];
}

function numberErrors({ field, name }: ValuePosition, schema: JsonObject, value: number): readonly FieldError[] {
  const [step, most, least] = ['multipleOf', 'maximum', 'minimum'].map((rule) => numberAt(schema, rule));
  const [below, above] = [isTrue(schema, 'exclusiveMaximum'), isTrue(schema, 'exclusiveMinimum')];
  const wrong = (why: string): FieldError => invalid(field, value, `${name} in body should be ${why}`);
  return [
    ...(step === undefined || step === 0 || Number.isInteger(value / step) ? [] : [wrong(`a multiple of ${step}`)]),
    ...(most === undefined || value < most || (value === most && !below)
      ? []
      : [wrong(`less than ${below ? '' : 'or equal to '}${most}`)]),
    ...(least === undefined || value > least || (value === least && !above)
      ? []
      : [wrong(`greater than ${above ? '' : 'or equal to '}${least}`)]),
  ];
}

function lengthErrors({ field, name }: ValuePosition, schema: JsonObject, value: string): readonly FieldError[] {
  const length = Array.from(value).length;
  const [most, least] = [numberAt(schema, 'maxLength'), numberAt(schema, 'minLength')];
  const wrong = (why: string): FieldError => invalid(field, value, `${name} in body should be ${why} chars long`);
  return [
    ...(most !== undefined && length > most ? [wrong(`at most ${most}`)] : []),
    ...(least !== undefined && length < least ? [wrong(`at least ${least}`)] : []),
  ];
}

function listErrors(position: ValuePosition, schema: JsonObject, value: readonly JsonValue[]): readonly FieldError[] {
  const { field, name } = position;
  const [most, least] = [numberAt(schema, 'maxItems'), numberAt(schema, 'minItems')];
  const wrong = (why: string): FieldError => invalid(field, value.length, `${name} in body should have ${why} items`);
  return [
    ...errorsOfEach(value, (item) => valueErrors(position, objectAt(schema, 'items'), item)),
    ...(least !== undefined && value.length < least ? [wrong(`at least ${least}`)] : []),
    ...(most !== undefined && value.length > most ? [wrong(`at most ${most}`)] : []),
  ];
}

function objectErrors(
  { field, name, effort }: ValuePosition,
  schema: JsonObject,
  value: JsonObject,
): readonly FieldError[] {
  const names = Object.keys(value);
  const [most, least] = [numberAt(schema, 'maxProperties'), numberAt(schema, 'minProperties')];
  const wrong = (limit: number, why: string): FieldError =>
    invalid(field, limit, `${name} in body should have ${why} ${limit} properties`);
  const properties = objectAt(schema, 'properties');
  const others = getOwn(schema, 'additionalProperties');
  return [
    ...(least !== undefined && names.length < least ? [wrong(least, 'at least')] : []),
    ...(most !== undefined && names.length > most ? [wrong(most, 'at most')] : []),
    ...stringsAt(schema, 'required')
      .filter((one) => !Object.hasOwn(value, one))
      .map((one) => required(`${field}.${one}`)),
    ...errorsOfEach(names, (one) => {
      const [known, part] = [isSet(properties, one), value[one] ?? null];
      const at = { field: `${field}.${one}`, effort, name: known && name === '' ? one : `${name}.${one}` };
      if (known) return valueErrors(at, objectAt(properties, one), part);
      return others !== undefined && isJsonObject(others) ? valueErrors(at, others, part) : noErrors;
    }),
  ];
}

/** The violations of `allOf`, `anyOf`, `oneOf` and `not`. */
function combinationErrors(position: ValuePosition, schema: JsonObject, value: JsonValue): readonly FieldError[] {
  const found = (name: string): (readonly FieldError[])[] =>
    objectsAt(schema, name).map((part) => valueErrors(position, part, value));
  const [all, any, one] = [found('allOf'), found('anyOf'), found('oneOf')];
  const wrong = (why: string): FieldError =>
    invalidShown(position.field, '""', `${JSON.stringify(position.name)} must ${why}`);
  const valid = one.filter((errors) => errors.length === 0).length;
  const failed = all.filter((errors) => errors.length > 0).length;
  const not = objectAt(schema, 'not');
  return [
    ...(any.length > 0 && any.every((errors) => errors.length > 0)
      ? [wrong('validate at least one schema (anyOf)'), ...(any[0] ?? [])]
      : []),
    ...(one.length > 0 && valid === 0
      ? [wrong('validate one and only one schema (oneOf). Found none valid'), ...(one[0] ?? [])]
      : []),
    ...(valid > 1 ? [wrong(`validate one and only one schema (oneOf). Found ${valid} valid alternatives`)] : []),
    ...all.flat(),
    ...(failed > 0
      ? [wrong(`validate all the schemas (allOf)${failed === all.length ? '. None validated' : ''}`)]
      : []),
    ...(isSet(schema, 'not') && valueErrors(position, not, value).length === 0
      ? [wrong('not validate the schema (not)')]
      : []),
  ];
}
