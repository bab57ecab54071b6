import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { hasTypeMeta } from '../scheme/decode-object.ts';
import type { ListSchema, MapSchema, ObjectSchema, ScalarType, Schema } from '../scheme/model/schema.ts';
import { shownValue } from '../status/shown-value.ts';
import { fieldElement, itemElement, omittedKey, type PathElement } from './path-element.ts';
import { elementText, pathText } from './path-text.ts';

/**
 * Returns the errors that prevent an apply: fields that are not in the schema, values of a wrong
 * type, and list items without an identity or with a duplicate one. Each message has a path:
 * `.spec.ports: duplicate entries for key [port=1]`. Empty for a valid configuration.
 */
export function checkApplied(schema: ObjectSchema, value: JsonObject): readonly string[] {
  const errors: string[] = [];
  checkFields(schema, value, { path: [], errors });
  return errors;
}

interface CheckPosition {
  /** The path from the document to the current value. It is formatted only for an error. */
  readonly path: PathElement[];
  readonly errors: string[];
}

/** The maximum number of reported errors. */
const errorLimit = 100;

function report({ path, errors }: CheckPosition, message: string): void {
  if (errors.length < errorLimit) errors.push(path.length > 0 ? `${pathText(path)}: ${message}` : message);
}

function checkAt(element: PathElement, schema: Schema, value: JsonValue, position: CheckPosition): void {
  position.path.push(element);
  check(schema, value, position);
  position.path.pop();
}

function check(schema: Schema, value: JsonValue, position: CheckPosition): void {
  if (value === null) return;
  if (schema.type === 'list') checkList(schema, value, position);
  else if (schema.type === 'object' || schema.type === 'map') {
    if (!isJsonObject(value) && schema.type === 'map' && schema.undescribed) return;
    if (!isJsonObject(value)) report(position, `expected map, got &{${shownValue(value)}}`);
    else if (schema.type === 'object') checkFields(schema, value, position);
    else checkMap(schema, value, position);
  } else checkScalar(schema.type, value, position);
}

function checkFields(schema: ObjectSchema, value: JsonObject, position: CheckPosition): void {
  for (const [key, part] of Object.entries(value)) {
    const field = schema.fields.get(key);
    if (field) checkAt(fieldElement(key), field.schema, part, position);
    else if (!isTypeMeta(schema, key, position) && !schema.preserveUnknown) {
      position.path.push(fieldElement(key));
      report(position, 'field not declared in schema');
      position.path.pop();
    }
  }
}

function isTypeMeta(schema: ObjectSchema, key: string, { path }: CheckPosition): boolean {
  return (key === 'kind' || key === 'apiVersion') && (path.length === 0 || hasTypeMeta(schema));
}

function checkMap(schema: MapSchema, value: JsonObject, position: CheckPosition): void {
  for (const [key, part] of Object.entries(value)) checkAt(fieldElement(key), schema.values, part, position);
}

function checkList(schema: ListSchema, value: JsonValue, position: CheckPosition): void {
  if (!Array.isArray(value)) {
    report(position, `expected list, got &{${shownValue(value)}}`);
    return;
  }
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    const problem = schema.listType === 'atomic' ? undefined : itemProblem(schema, item);
    if (problem) report(position, `element ${index}: ${problem}`);
    else checkAt(identified(schema, item, index, seen, position), schema.items, item, position);
  }
}

/** Returns the path element of an item. Reports duplicate items of lists that are not atomic. */
function identified(
  schema: ListSchema,
  item: JsonValue,
  index: number,
  seen: Set<PathElement>,
  position: CheckPosition,
): PathElement {
  const element = schema.listType === 'atomic' ? undefined : itemElement(schema, item);
  if (element === undefined) return `i:${index}`;
  if (seen.has(element)) report(position, `duplicate entries for key ${elementText(element)}`);
  seen.add(element);
  return element;
}

/** Returns why an item is invalid in a list of type `map` or `set`; undefined for a valid item. */
function itemProblem(list: ListSchema, item: JsonValue): string | undefined {
  if (list.listType === 'map') {
    if (item === null) return 'associative list with keys may not have a null element';
    if (!isJsonObject(item)) return 'associative list with keys may not have non-map elements';
    const key = omittedKey(list, item);
    if (key === undefined) return undefined;
    const problem = `associative list with keys has an element that omits key field ${JSON.stringify(key)}`;
    return `${problem} (and doesn't have default value)`;
  }
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (Array.isArray(item)) return 'not supported: associative list with lists as elements';
  return isJsonObject(item) ? "associative list without keys has an element that's a map type" : undefined;
}

interface ScalarRule {
  readonly accepts: (value: JsonValue) => boolean;
  readonly refusal: (value: JsonValue) => string;
}

const numeric: ScalarRule = {
  accepts: (value) => typeof value === 'number' || typeof value === 'bigint',
  refusal: () => 'expected numeric (int or float), got *value.valueUnstructured',
};

const text: ScalarRule = {
  accepts: (value) => typeof value === 'string',
  refusal: (value) => `expected string, got &value.valueUnstructured{Value:${shownValue(value)}}`,
};

const truth: ScalarRule = {
  accepts: (value) => typeof value === 'boolean',
  refusal: (value) => `expected boolean, got &{${shownValue(value)}}`,
};

const anyScalar: ScalarRule = {
  accepts: (value) => typeof value !== 'object',
  refusal: (value) => `expected any scalar, got &{${shownValue(value)}}`,
};

const anything: ScalarRule = { accepts: () => true, refusal: () => '' };

/**
 * The JSON types that each scalar accepts. Times and quantities accept more here, because their
 * decoders report better errors.
 */
const scalarRules: Readonly<Record<ScalarType, ScalarRule>> = {
  string: text,
  bytes: text,
  bool: truth,
  int32: numeric,
  int64: numeric,
  uint32: numeric,
  uint64: numeric,
  double: numeric,
  time: anyScalar,
  microTime: anyScalar,
  duration: anyScalar,
  quantity: anyScalar,
  intOrString: anyScalar,
  any: anything,
  fieldsV1: anything,
};

/** True if a scalar accepts the type of the value. */
export function acceptsScalar(type: ScalarType, value: JsonValue): boolean {
  return scalarRules[type].accepts(value);
}

function checkScalar(type: ScalarType, value: JsonValue, position: CheckPosition): void {
  const rule = scalarRules[type];
  if (!rule.accepts(value)) report(position, rule.refusal(value));
}
