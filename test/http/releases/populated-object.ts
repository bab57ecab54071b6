import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Field, ObjectSchema, ScalarSchema, ScalarType, Schema } from '../../../src/scheme/model/schema.ts';

/** Sends an object; true if the server would create it. */
export type Accepts = (object: JsonObject) => Promise<boolean>;

/** The fields that the server or the storage sets, at the top of an object. */
const unfilled: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion', 'status']);

/** Fields that Kubernetes checks in updates alone, so that their objects can be created and not be changed. */
const uncheckedInCreates: ReadonlySet<string> = new Set(['configSource']);

/** How deep fields are filled: deeper ones are schemas in schemas. */
const deepest = 9;

/**
 * Fills an object that a server accepts with all fields of its schema that it accepts beside each
 * other, one after the other. `templates` are the messages that are filled already, such as the
 * spec of a pod, which many kinds have; it gets those that are filled here.
 */
export async function populatedObject(
  schema: ObjectSchema,
  minimal: JsonObject,
  { accepts, templates }: { readonly accepts: Accepts; readonly templates: Map<string, JsonObject> },
): Promise<JsonObject> {
  let object = minimal;
  const tryWith = async (path: readonly PathStep[], value: JsonValue): Promise<boolean> => {
    const next = withValue(object, path, value);
    if (!(await accepts(next))) return false;
    object = next;
    return true;
  };
  const fillFields = async ({ fields }: ObjectSchema, path: readonly PathStep[]): Promise<void> => {
    for (const field of fields.values()) {
      if (uncheckedInCreates.has(field.name) || (path.length === 0 && unfilled.has(field.name))) continue;
      await fill(field.schema, [...path, field.name]);
    }
  };
  const fill = async (part: Schema, path: readonly PathStep[]): Promise<void> => {
    if (path.length > deepest) return;
    if (part.type === 'list') return await fill(part.items, [...path, 0]);
    if (part.type === 'map') return await fill(part.values, [...path, 'example.com']);
    const present = valueAt(object, path);
    if (part.type !== 'object') {
      if (present !== undefined) return;
      for (const value of candidates(part)) if (await tryWith(path, value)) return;
      return;
    }
    const template = templates.get(part.name);
    if (template && (await tryWith(path, merged(template, present)))) return;
    if (present === undefined) await tryWith(path, required(part));
    await fillFields(part, path);
    const filled = valueAt(object, path);
    if (filled !== undefined && isJsonObject(filled)) templates.set(part.name, filled);
  };
  await fillFields(schema, []);
  return object;
}

/** A field of a message, a key of a map, or the place in a list. */
type PathStep = string | 0;

function merged(template: JsonObject, present: JsonValue | undefined): JsonObject {
  return isJsonObject(present) ? { ...template, ...present } : template;
}

/** A message with the fields that it cannot be without. */
function required({ fields }: ObjectSchema): JsonObject {
  const needed = [...fields.values()].filter((field) => field.required);
  return Object.fromEntries(needed.map((field) => [field.name, requiredValue(field)]));
}

function requiredValue({ schema }: Field): JsonValue {
  const one = schema.type === 'list' ? schema.items : schema.type === 'map' ? schema.values : schema;
  const value =
    one.type === 'object' ? required(one) : one.type === 'list' || one.type === 'map' ? {} : (candidates(one)[0] ?? '');
  return schema.type === 'list' ? [value] : schema.type === 'map' ? { 'example.com': value } : value;
}

function valueAt(object: JsonValue | undefined, [step, ...rest]: readonly PathStep[]): JsonValue | undefined {
  if (step === undefined) return object;
  const inner = Array.isArray(object) ? object[0] : isJsonObject(object) ? object[step] : undefined;
  return valueAt(inner, rest);
}

/** A copy of an object with one value set, and the messages and lists around it made. */
function withValue(object: JsonObject, path: readonly PathStep[], value: JsonValue): JsonObject {
  const set = (at: JsonValue | undefined, [step, ...rest]: readonly PathStep[]): JsonValue => {
    if (step === undefined) return value;
    if (step === 0)
      return [set(Array.isArray(at) ? at[0] : undefined, rest), ...(Array.isArray(at) ? at.slice(1) : [])];
    const inside = isJsonObject(at) ? at : {};
    return { ...inside, [step]: set(inside[step], rest) };
  };
  const result = set(object, path);
  return isJsonObject(result) ? result : object;
}

const texts: readonly string[] = ['a', '1', 'example.com/a', '10.0.0.1', '/a', 'https://example.com', 'true'];

const values: Readonly<Record<Exclude<ScalarType, 'string'>, readonly JsonValue[]>> = {
  int32: [1, 2, 80, 1000],
  int64: [1, 1000],
  uint32: [1],
  uint64: [1],
  double: [0.5],
  bool: [true, false],
  bytes: ['YQ=='],
  time: ['2030-01-02T03:04:05Z'],
  microTime: ['2030-01-02T03:04:05.000006Z'],
  duration: ['1h0m0s'],
  quantity: ['1'],
  intOrString: [1, '50%'],
  any: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
  fieldsV1: [],
};

/** Values of a type, of which a field may accept one. */
function candidates({ type, enum: allowed, minimum }: ScalarSchema): readonly JsonValue[] {
  if (allowed) return allowed.filter((value) => value !== '');
  if (type === 'string') return texts;
  return minimum === undefined || minimum <= 1 ? values[type] : [minimum, ...values[type]];
}
