import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { type DecodePosition, refuseType } from './model/decode-position.ts';
import { anyDecoder, type Decode, decodeAmount, scalarDecoders } from './decode-scalar.ts';
import { emptyValue } from './empty-value.ts';
import { formatPath, keyStep } from './model/format-path.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, Schema } from './model/schema.ts';
import { decodeCustom } from './structural/decode-custom.ts';
import type { PrunePosition } from './structural/prune-structural.ts';
import { isValidatedPart } from './validated-parts.ts';
import { memoize } from '../meta/memoize.ts';

/** A decoded object. */
interface DecodedObject {
  readonly value: JsonObject;
  /**
   * Paths of fields that are not in the schema, in document order; `value` does not contain them.
   */
  readonly unknownFields: string[];
}

/**
 * Decodes parsed JSON with a schema, as Go's decoder does with types. Unknown fields are dropped
 * and reported; null counts as absent. Fields are in schema order after `kind` and `apiVersion`,
 * and keys of maps are sorted. Times, quantities and base64 become canonical. Fields that are
 * always present are added, and meaningless empty values are removed. Idempotent. Never mutates
 * `input`, but may share parts of it.
 *
 * Throws a DecodeError at the first value of the wrong type. `path` is the prefix of all reported
 * paths. With `isPart`, top-level fields that are absent are not added.
 */
export function decodeObject(
  schema: ObjectSchema,
  input: JsonValue,
  { path = '', isPart = false }: { readonly path?: string; readonly isPart?: boolean } = {},
): DecodedObject {
  const position: DecodePosition = { base: path, steps: [], unknownFields: [] };
  if (!isJsonObject(input)) return refuseType(input, 'object', position, 'struct');
  if (schema.structural) return decodeCustom(schema.structural, input, metadataDecoder(schema, path));
  return { value: decodeFields(rootPlanOf(schema), input, position, isPart), unknownFields: position.unknownFields };
}

/** Decodes the metadata of an object of a custom kind. */
function metadataDecoder({ fields }: ObjectSchema, base: string): PrunePosition['decodeMetadata'] {
  const metadata = fields.get('metadata');
  return (value, position) => (metadata ? decoderOf(metadata.schema)(value, { base, ...position }) : value);
}

/**
 * Decodes any part of an object that is not null; unknown fields are dropped without a report.
 * Throws a DecodeError.
 */
export function decodePart(schema: Schema, input: JsonValue): JsonValue {
  return decoderOf(schema)(input, { base: '', steps: [], unknownFields: [] });
}

/** A field with its decoder. */
interface DecodeStep {
  readonly name: string;
  readonly decode: Decode;
  readonly alwaysPresent: boolean;
  /** Creates the value of an absent field that is always present. */
  readonly empty: () => JsonValue;
  /** Maps a decoded value to its serialized one; undefined omits it, as Go's `omitempty` does. */
  readonly written: (value: JsonValue) => JsonValue | undefined;
}

interface DecodePlan {
  readonly steps: readonly DecodeStep[];
  readonly names: ReadonlySet<string>;
  readonly preserveUnknown: boolean;
}

const typeMetaSteps: readonly DecodeStep[] = ['kind', 'apiVersion'].map((name) => ({
  name,
  decode: scalarDecoders.string,
  alwaysPresent: false,
  empty: () => '',
  written: (value) => (value === '' ? undefined : value),
}));

/**
 * Reports whether a nested message is a whole object with type metadata: claim templates, items
 * of lists.
 */
export function hasTypeMeta({ name, fields }: ObjectSchema): boolean {
  const metadata = fields.get('metadata')?.schema;
  return metadata?.type === 'object' && /\.(Object|List)Meta$/.test(metadata.name) && !/Template(Spec)?$/.test(name);
}

const rootPlanOf = memoize((schema: ObjectSchema) => compilePlan(schema, typeMetaSteps));

const planOf = memoize((schema: ObjectSchema) => compilePlan(schema, hasTypeMeta(schema) ? typeMetaSteps : []));

function compilePlan(schema: ObjectSchema, typeMeta: readonly DecodeStep[]): DecodePlan {
  const own = typeMeta.filter(({ name }) => !schema.fields.has(name));
  const steps = [...own, ...[...schema.fields.values()].map(compileStep)];
  return { steps, names: new Set(steps.map(({ name }) => name)), preserveUnknown: schema.preserveUnknown };
}

function compileStep(field: Field): DecodeStep {
  return {
    name: field.name,
    decode: lazily(() => decoderOf(field.schema)),
    alwaysPresent: field.alwaysPresent,
    // A field in which an empty value has a meaning is a pointer in Go, so its absent value is
    // null.
    empty: () => (field.explicit ? null : emptyField(field.schema)),
    written: writingOf(field),
  };
}

function writingOf({ alwaysPresent, explicit, schema }: Field): DecodeStep['written'] {
  const isEmpty = emptiness[schema.type];
  return alwaysPresent || explicit || !isEmpty ? asIs : (value) => (isEmpty(value) ? undefined : value);
}

const asIs = (value: JsonValue): JsonValue => value;
const isZero = (value: JsonValue): boolean => value === 0;
const isEmptyText = (value: JsonValue): boolean => value === '';

/** The tests for empty values by schema type; other types have no empty value. */
const emptiness: Readonly<Partial<Record<Schema['type'], (value: JsonValue) => boolean>>> = {
  string: isEmptyText,
  bytes: isEmptyText,
  bool: (value) => value === false,
  int32: isZero,
  int64: isZero,
  uint32: isZero,
  uint64: isZero,
  double: isZero,
  list: (value) => Array.isArray(value) && value.length === 0,
  map: (value) => isJsonObject(value) && Object.keys(value).length === 0,
};

/** Looks the decoder up on first use, because messages recurse. */
function lazily(find: () => Decode): Decode {
  let decode: Decode | undefined;
  return (value, position) => {
    decode ??= find();
    return decode(value, position);
  };
}

function emptyField(schema: Schema): JsonValue {
  if (schema.type !== 'object') return emptyValue(schema);
  return decodeFields(planOf(schema), {}, { base: '', steps: [], unknownFields: [] });
}

const decoderOf = memoize(compileDecoder);

function compileDecoder(schema: Schema): Decode {
  if (schema.type === 'object') return objectDecoder(schema);
  if (schema.type === 'list') return listDecoder(schema);
  if (schema.type === 'map') return mapDecoder(schema);
  return schema.type === 'any' ? anyDecoder(schema.message) : scalarDecoders[schema.type];
}

function objectDecoder(schema: ObjectSchema): Decode {
  const plan = planOf(schema);
  return (value, position) => {
    if (!isJsonObject(value)) return refuseType(value, 'object', position, 'struct');
    return isValidatedPart(value, schema) ? value : decodeFields(plan, value, position);
  };
}

function decodeFields(
  { steps, names, preserveUnknown }: DecodePlan,
  input: JsonObject,
  position: DecodePosition,
  isPart = false,
): JsonObject {
  const value: JsonObject = {};
  let known = 0;
  for (const step of steps) {
    // Own fields only: an inherited one, such as `constructor`, is not data.
    const given = Object.hasOwn(input, step.name) ? input[step.name] : undefined;
    if (given !== undefined) known++;
    if (given === undefined || given === null) {
      if (step.alwaysPresent && !isPart) value[step.name] = step.empty();
      continue;
    }
    position.steps.push(step.name);
    const decoded = step.decode(given, position);
    position.steps.pop();
    const written = step.written(decoded);
    if (written !== undefined) value[step.name] = written;
  }
  const keys = Object.keys(input);
  if (keys.length > known)
    reportUnknown(
      keys.filter((key) => !names.has(key)),
      input,
      value,
      preserveUnknown,
      position,
    );
  return value;
}

/** Further unknown fields are dropped without a report, as Go's decoder does. */
const unknownFieldLimit = 100;

function reportUnknown(
  keys: readonly string[],
  input: JsonObject,
  value: JsonObject,
  preserve: boolean,
  { base, steps, unknownFields }: DecodePosition,
): void {
  for (const key of keys) {
    const given = input[key];
    if (preserve && given !== undefined) setOwn(value, key, given);
    else if (unknownFields.length < unknownFieldLimit) unknownFields.push(formatPath(base, [...steps, key]));
  }
}

/** Decodes a list; as in Go, null is the empty item. */
function listDecoder({ items }: ListSchema): Decode {
  const decodeItem = decoderOf(items);
  return (value, position) => {
    if (!Array.isArray(value)) return refuseType(value, 'array', position, 'list');
    return value.map((item, index) => {
      position.steps.push(index);
      const decoded = item === null ? emptyItem(items) : decodeItem(item, position);
      position.steps.pop();
      return decoded;
    });
  };
}

function emptyItem(schema: Schema): JsonValue {
  const empty = emptyField(schema);
  return empty === null && schema.type === 'bytes' ? '' : empty;
}

function mapDecoder({ values, exact }: MapSchema): Decode {
  // Maps recurse, too.
  const decodeItem = values.type === 'quantity' && !exact ? decodeAmount : lazily(() => decoderOf(values));
  return (value, position) => {
    if (!isJsonObject(value)) return refuseType(value, 'object', position, 'map');
    const decoded: JsonObject = {};
    for (const key of sortedKeys(value)) {
      const item = value[key] ?? null;
      position.steps.push(keyStep(key));
      setOwn(decoded, key, item === null ? emptyItem(values) : decodeItem(item, position));
      position.steps.pop();
    }
    return decoded;
  };
}

function sortedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  // Most maps are sorted already.
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key) ? keys : keys.toSorted();
}
