import { jsonTypeName } from '../meta/go-value.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { hasTypeMeta } from '../scheme/decode-object.ts';
import { undescribed } from '../scheme/structural/custom-kind-schema.ts';
import type { ListSchema, MapSchema, ObjectSchema, ScalarType, Schema } from '../scheme/model/schema.ts';
import { shownValue } from '../status/shown-value.ts';
import { type FieldSet, FieldSetBuilder } from './field-set.ts';
import { fieldElement, isOpen, itemElement, omittedKey, type PathElement } from './path-element.ts';
import { elementText, pathText } from './path-text.ts';

/** A configuration as it was read. */
interface AppliedFields {
  /** Empty for a valid configuration. */
  readonly problems: readonly string[];
  /** The paths that it sets: its leaves, list items and map keys. Its manager owns them. */
  readonly fields: FieldSet;
}

/**
 * Returns the fields of a configuration, and the errors that prevent an apply: fields that are not
 * in the schema, values of a wrong type, and list items without an identity or with a duplicate
 * one. Each message has a path: `.spec.ports: duplicate entries for key [port=1]`.
 */
export function checkApplied(schema: ObjectSchema, value: JsonObject): AppliedFields {
  const problems: string[] = [];
  const builder = new FieldSetBuilder();
  checkFields(schema, value, { path: [], errors: problems }, builder);
  return { problems, fields: builder.build() };
}

/** Returns the paths that a value sets; see `AppliedFields`. */
export function fieldsOfValue(schema: Schema, value: JsonValue): FieldSet {
  const builder = new FieldSetBuilder();
  if (hasParts(schema, value)) check(schema, value, { path: [], errors: [] }, builder);
  return builder.build();
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

/** False for a leaf: no manager owns a part of it. An empty list is none, but adds no path. */
function hasParts(schema: Schema, value: JsonValue): boolean {
  if (!isOpen(schema) || typeof value !== 'object' || value === null) return false;
  if (schema.type === 'list' || Array.isArray(value)) return schema.type === 'list' && Array.isArray(value);
  for (const key in value) return Object.hasOwn(value, key);
  return false;
}

/**
 * Checks a part. Its path is added to the fields if it is a leaf or a `member` with parts. Without
 * `fields` it is a part of an atomic value, whose path is one of the fields.
 */
function checkAt(
  element: PathElement,
  schema: Schema,
  value: JsonValue,
  { position, fields, member }: PartPlace,
): void {
  const below = fields && hasParts(schema, value);
  if (fields && (member || !below)) fields.add(element);
  position.path.push(element);
  check(schema, value, position, below ? fields.below(element) : undefined);
  position.path.pop();
}

/** The place of a part, and the fields of the value around it. */
interface PartPlace {
  readonly position: CheckPosition;
  readonly fields: FieldSetBuilder | undefined;
  /** True for keys of maps and items of lists: they are members even if they have parts. */
  readonly member: boolean;
}

function check(schema: Schema, value: JsonValue, position: CheckPosition, fields: FieldSetBuilder | undefined): void {
  if (value === null) return;
  if (schema.type === 'list') checkList(schema, value, position, fields);
  else if (schema.type === 'object' || schema.type === 'map') {
    // A value without a schema may have any type.
    if (!isJsonObject(value) && schema === undescribed) return;
    if (!isJsonObject(value)) report(position, `expected map, got ${shownValue(value)}`);
    else if (schema.type === 'object') checkFields(schema, value, position, fields);
    else checkMap(schema, value, position, fields);
  } else checkScalar(schema.type, value, position);
}

function checkFields(
  schema: ObjectSchema,
  value: JsonObject,
  position: CheckPosition,
  fields: FieldSetBuilder | undefined,
): void {
  const known: PartPlace = { position, fields, member: false };
  for (const key in value) {
    const field = schema.fields.get(key);
    const element = fieldElement(key);
    const part = value[key] ?? null;
    if (field) checkAt(element, field.schema, part, known);
    // An unknown field is a member like the keys of a map.
    else if (schema.preserveUnknown) checkAt(element, undescribed, part, { position, fields, member: true });
    else if (!isTypeMeta(schema, key, position)) {
      position.path.push(element);
      report(position, 'field not declared in schema');
      position.path.pop();
      // As in kube-apiserver, the fields after it are not checked.
      return;
    }
  }
}

function isTypeMeta(schema: ObjectSchema, key: string, { path }: CheckPosition): boolean {
  return (key === 'kind' || key === 'apiVersion') && (path.length === 0 || hasTypeMeta(schema));
}

function checkMap(
  schema: MapSchema,
  value: JsonObject,
  position: CheckPosition,
  fields: FieldSetBuilder | undefined,
): void {
  const place: PartPlace = { position, fields, member: true };
  for (const key in value) checkAt(fieldElement(key), schema.values, value[key] ?? null, place);
}

function checkList(
  schema: ListSchema,
  value: JsonValue,
  position: CheckPosition,
  fields: FieldSetBuilder | undefined,
): void {
  if (!Array.isArray(value)) return report(position, `expected list, got ${shownValue(value)}`);
  const isAtomic = schema.listType === 'atomic';
  const place: PartPlace = { position, fields, member: true };
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    const element = isAtomic ? undefined : itemElement(schema, item);
    const problem = isAtomic ? undefined : itemProblem(schema, item);
    if (problem) {
      report(position, `element ${index}: ${problem}`);
      if (element !== undefined) fields?.add(element);
      continue;
    }
    if (element !== undefined && seen.has(element)) {
      report(position, `duplicate entries for key ${elementText(element)}`);
    }
    if (element !== undefined) seen.add(element);
    checkAt(element ?? `i:${index}`, schema.items, item, place);
  }
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
  refusal: (value) => `expected numeric (int or float), got ${jsonTypeName(value)}`,
};

const text: ScalarRule = {
  accepts: (value) => typeof value === 'string',
  refusal: (value) => `expected string, got ${shownValue(value)}`,
};

const truth: ScalarRule = {
  accepts: (value) => typeof value === 'boolean',
  refusal: (value) => `expected boolean, got ${shownValue(value)}`,
};

const anyScalar: ScalarRule = {
  accepts: (value) => typeof value !== 'object',
  refusal: (value) => `expected any scalar, got ${shownValue(value)}`,
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

function checkScalar(type: ScalarType, value: JsonValue, position: CheckPosition): void {
  const rule = scalarRules[type];
  if (!rule.accepts(value)) report(position, rule.refusal(value));
}
