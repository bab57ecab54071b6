import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { numberAt, objectAt, stringAt, stringsAt } from '../../meta/read-field.ts';

/** The words of a schema that are checked, with the expected form where a value does not fit. */
const wordChecks: readonly ((value: JsonValue, schema: JsonObject) => string | undefined)[] = [
  (value, schema) => {
    const type = stringAt(schema, 'type');
    return type === '' || typeChecks[type]?.(value) ? undefined : typeWords[type];
  },
  (value, schema) => {
    const allowed = stringsAt(schema, 'enum');
    return allowed.length === 0 || allowed.some((each) => each === value) ? undefined : `use ${allowed.join(', ')}`;
  },
  (value, schema) => {
    const pattern = stringAt(schema, 'pattern');
    const fits = pattern === '' || typeof value !== 'string' || new RegExp(pattern).test(value);
    return fits ? undefined : 'use a duration like 1m30s or 250ms';
  },
  (value, schema) => boundCheck(schema, ['minimum', 'maximum'], typeof value === 'number' ? value : undefined, ''),
  (value, schema) =>
    boundCheck(schema, ['minLength', 'maxLength'], typeof value === 'string' ? value.length : undefined, 'characters'),
  (value, schema) =>
    boundCheck(schema, ['minItems', 'maxItems'], Array.isArray(value) ? value.length : undefined, 'items'),
  (value, schema) =>
    boundCheck(
      schema,
      ['minProperties', 'maxProperties'],
      isJsonObject(value) ? Object.keys(value).length : undefined,
      'members',
    ),
];

const typeChecks: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  object: isJsonObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
};

const typeWords: Readonly<Record<string, string>> = {
  object: 'use an object',
  array: 'use a list',
  string: 'use a text',
  boolean: 'use true or false',
  integer: 'use a whole number',
};

function boundCheck(
  schema: JsonObject,
  [least, most]: readonly [string, string],
  size: number | undefined,
  unit: string,
): string | undefined {
  if (size === undefined) return undefined;
  const [minimum, maximum] = [numberAt(schema, least), numberAt(schema, most)];
  if (minimum !== undefined && size < minimum) return `use at least ${minimum} ${unit}`.trimEnd();
  return maximum !== undefined && size > maximum ? `use at most ${maximum} ${unit}`.trimEnd() : undefined;
}

/**
 * The problems of a value by a schema, each with its path: `spec.weight: -1 is not valid: use at
 * least 0`. Members that the schema does not know are problems too.
 */
export function schemaProblems(value: JsonValue | undefined, schema: JsonObject, path: string): readonly string[] {
  if (value === undefined) return [`${path}: it is missing`];
  for (const check of wordChecks) {
    const expected = check(value, schema);
    if (expected !== undefined) return [`${path}: ${shown(value)} is not valid: ${expected}`];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => schemaProblems(item, objectAt(schema, 'items'), `${path}[${index}]`));
  }
  return isJsonObject(value) ? memberProblems(value, schema, path) : [];
}

function memberProblems(value: JsonObject, schema: JsonObject, path: string): readonly string[] {
  if (schema['preserved'] === true) return [];
  const properties = objectAt(schema, 'properties');
  const others = getOwn(schema, 'additionalProperties');
  const missing = stringsAt(schema, 'required').filter((name) => getOwn(value, name) === undefined);
  // A caller may have given a member without a value.
  const given = Object.keys(value).filter((name) => value[name] !== undefined);
  const found = given.flatMap((name) => {
    const part = getOwn(properties, name) ?? others;
    if (isJsonObject(part)) return schemaProblems(value[name], part, `${path}.${name}`);
    return [`${path}.${name}: it is not known: use ${Object.keys(properties).join(', ')}`];
  });
  return [...missing.map((name) => `${path}.${name}: it is missing`), ...found];
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? Number(each) : each));
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}
