import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { type DecodePlace, refuseType } from './decode-place.ts';
import { type Decode, decodeAmount, scalarDecoders } from './decode-scalar.ts';
import { emptyValue } from './empty-value.ts';
import { formatPath, keyStep } from './field-path.ts';
import type { Field, ListSchema, MapSchema, ObjectSchema, Schema } from './schema.ts';
import { isSettledPart } from './settled-parts.ts';

/** An object in the form of its schema. */
interface DecodedObject {
  readonly value: JsonObject;
  /** Paths of the fields that the schema does not know, in document order; they are not in `value`. */
  readonly unknownFields: string[];
}

/**
 * Brings a parsed document into the form of its schema, as Go's decoder does for its types: unknown fields are dropped
 * and reported, nulls count as absent, fields stand in schema order behind `kind` and `apiVersion`, keys of maps are
 * sorted, times, quantities and base64 are canonical, fields that are always present are there, and empty values that
 * mean nothing are not. Idempotent. Never changes `input`, but may share parts of it.
 *
 * Throws a DecodeError at the first value of the wrong type. `path` stands before every path that is reported. Where `isPart` is set,
 * nothing is put for fields that the object itself leaves out.
 */
export function decodeObject(
  schema: ObjectSchema,
  input: JsonValue,
  { path = '', isPart = false }: { readonly path?: string; readonly isPart?: boolean } = {},
): DecodedObject {
  const place: DecodePlace = { base: path, steps: [], unknownFields: [] };
  if (!isJsonObject(input)) return refuseType(input, 'object', place, 'struct');
  return { value: decodeFields(rootPlanOf(schema), input, place, isPart), unknownFields: place.unknownFields };
}

/** The same for any part of an object that is not null; unknown fields are only dropped. Throws a DecodeError. */
export function decodePart(schema: Schema, input: JsonValue): JsonValue {
  return decoderOf(schema)(input, { base: '', steps: [], unknownFields: [] });
}

/** What decoding has to know of a field, looked up once. */
interface Step {
  readonly name: string;
  readonly decode: Decode;
  readonly alwaysPresent: boolean;
  /** What stands for an absent field that is always present. A new value each time. */
  readonly empty: () => JsonValue;
  /** How a given value is written; undefined where it says as much as none, and is left out as Go leaves it out. */
  readonly written: (value: JsonValue) => JsonValue | undefined;
}

interface Plan {
  readonly steps: readonly Step[];
  readonly names: ReadonlySet<string>;
  readonly preserveUnknown: boolean;
}

/** Caches, not state: plans follow from schemas alone. */
const plans = new WeakMap<ObjectSchema, Plan>();
const rootPlans = new WeakMap<ObjectSchema, Plan>();
const decoders = new WeakMap<Schema, Decode>();

const typeMetaSteps: readonly Step[] = ['kind', 'apiVersion'].map((name) => ({
  name,
  decode: scalarDecoders.string,
  alwaysPresent: false,
  empty: () => '',
  written: (value) => (value === '' ? undefined : value),
}));

/** Objects inside others that are whole objects carry type metadata too: claim templates, items of lists. */
export function hasTypeMeta({ name, fields }: ObjectSchema): boolean {
  const metadata = fields.get('metadata')?.schema;
  return metadata?.type === 'object' && /\.(Object|List)Meta$/.test(metadata.name) && !/Template(Spec)?$/.test(name);
}

function rootPlanOf(schema: ObjectSchema): Plan {
  let plan = rootPlans.get(schema);
  if (!plan) {
    plan = compilePlan(schema, typeMetaSteps);
    rootPlans.set(schema, plan);
  }
  return plan;
}

function planOf(schema: ObjectSchema): Plan {
  let plan = plans.get(schema);
  if (!plan) {
    plan = compilePlan(schema, hasTypeMeta(schema) ? typeMetaSteps : []);
    plans.set(schema, plan);
  }
  return plan;
}

function compilePlan(schema: ObjectSchema, typeMeta: readonly Step[]): Plan {
  const own = typeMeta.filter(({ name }) => !schema.fields.has(name));
  const steps = [...own, ...[...schema.fields.values()].map(compileStep)];
  return { steps, names: new Set(steps.map(({ name }) => name)), preserveUnknown: schema.preserveUnknown };
}

function compileStep(field: Field): Step {
  return {
    name: field.name,
    decode: lazily(() => decoderOf(field.schema)),
    alwaysPresent: field.alwaysPresent,
    // Where an empty value is a choice, none is null: Go holds a pointer there.
    empty: () => (field.explicit ? null : emptyField(field.schema)),
    written: writingOf(field),
  };
}

function writingOf({ alwaysPresent, explicit, schema }: Field): Step['written'] {
  const isEmpty = emptiness[schema.type];
  return alwaysPresent || explicit || !isEmpty ? asIs : (value) => (isEmpty(value) ? undefined : value);
}

const asIs = (value: JsonValue): JsonValue => value;
const isZero = (value: JsonValue): boolean => value === 0;
const isEmptyText = (value: JsonValue): boolean => value === '';

/** What empty means, by type of schema; other types have no empty value. */
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

/** Messages recurse, so that a decoder is looked up when the first value arrives. */
function lazily(find: () => Decode): Decode {
  let decode: Decode | undefined;
  return (value, place) => {
    decode ??= find();
    return decode(value, place);
  };
}

function emptyField(schema: Schema): JsonValue {
  if (schema.type !== 'object') return emptyValue(schema);
  return decodeFields(planOf(schema), {}, { base: '', steps: [], unknownFields: [] });
}

function decoderOf(schema: Schema): Decode {
  let decode = decoders.get(schema);
  if (!decode) {
    decode = compileDecoder(schema);
    decoders.set(schema, decode);
  }
  return decode;
}

function compileDecoder(schema: Schema): Decode {
  if (schema.type === 'object') return objectDecoder(schema);
  if (schema.type === 'list') return listDecoder(schema);
  if (schema.type === 'map') return mapDecoder(schema);
  return scalarDecoders[schema.type];
}

function objectDecoder(schema: ObjectSchema): Decode {
  const plan = planOf(schema);
  return (value, place) => {
    if (!isJsonObject(value)) return refuseType(value, 'object', place, 'struct');
    return isSettledPart(value, schema) ? value : decodeFields(plan, value, place);
  };
}

function decodeFields(
  { steps, names, preserveUnknown }: Plan,
  input: JsonObject,
  place: DecodePlace,
  isPart = false,
): JsonObject {
  const value: JsonObject = {};
  let known = 0;
  for (const step of steps) {
    // Own fields only; an inherited one, such as `constructor`, is not data.
    const given = Object.hasOwn(input, step.name) ? input[step.name] : undefined;
    if (given !== undefined) known++;
    if (given === undefined || given === null) {
      if (step.alwaysPresent && !isPart) value[step.name] = step.empty();
      continue;
    }
    place.steps.push(step.name);
    const decoded = step.decode(given, place);
    place.steps.pop();
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
      place,
    );
  return value;
}

/** More unknown fields than this are dropped without a report, as Go's decoder does. */
const unknownFieldLimit = 100;

function reportUnknown(
  keys: readonly string[],
  input: JsonObject,
  value: JsonObject,
  preserve: boolean,
  { base, steps, unknownFields }: DecodePlace,
): void {
  for (const key of keys) {
    const given = input[key];
    if (preserve && given !== undefined) setOwn(value, key, given);
    else if (unknownFields.length < unknownFieldLimit) unknownFields.push(formatPath(base, [...steps, key]));
  }
}

/** A null among the items is the empty item, as in Go. */
function listDecoder({ items }: ListSchema): Decode {
  const decodeItem = decoderOf(items);
  return (value, place) => {
    if (!Array.isArray(value)) return refuseType(value, 'array', place, 'list');
    return value.map((item, index) => {
      place.steps.push(index);
      const decoded = item === null ? emptyItem(items) : decodeItem(item, place);
      place.steps.pop();
      return decoded;
    });
  };
}

function emptyItem(schema: Schema): JsonValue {
  const empty = emptyField(schema);
  return empty === null && schema.type === 'bytes' ? '' : empty;
}

function mapDecoder({ values, exact }: MapSchema): Decode {
  const decodeItem = values.type === 'quantity' && !exact ? decodeAmount : decoderOf(values);
  return (value, place) => {
    if (!isJsonObject(value)) return refuseType(value, 'object', place, 'map');
    const decoded: JsonObject = {};
    for (const key of sortedKeys(value)) {
      const item = value[key] ?? null;
      place.steps.push(keyStep(key));
      setOwn(decoded, key, item === null ? emptyItem(values) : decodeItem(item, place));
      place.steps.pop();
    }
    return decoded;
  };
}

function sortedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  // Most are written in order.
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') <= key) ? keys : keys.toSorted();
}
