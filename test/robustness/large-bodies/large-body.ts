import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { ListSchema, MapSchema, ObjectSchema, ScalarSchema, Schema } from '../../../src/scheme/model/schema.ts';
import { minimalObject } from '../../http/minimal-objects.ts';
import type { LargeField } from './large-fields.ts';

/** What the items of a large list or map are like. */
export type Filling = 'equal' | 'distinct' | 'bad';

/** All fillings. */
export const fillings: readonly Filling[] = ['equal', 'distinct', 'bad'];

const identifiers = identifiersOf('cluster');

/** A body of this size leaves room for the rest of the object below the limit of 3 MiB. */
const fieldBytes = 3_000_000;

/** More values than this are refused before anything looks at them. */
const valueLimit = 71_000;

/** Stands in an object where the large text goes. */
const placeholder = '@@large@@';

/** Stands in the text of an item where its number goes. */
const numberMark = '@#@';

/** The object that a field is written in, small and valid. */
export function smallObject({ info, version }: LargeField, name: string): JsonObject {
  return minimalObject(info, identifiers, name, version.version);
}

/** JSON of the object with the field filled, and the value of the top-level field that has it. */
export function largeBody(field: LargeField, object: JsonObject, filling: Filling): { whole: string; part: string } {
  const whole = structuredClone(object);
  place(whole, field.path);
  const [top = ''] = field.path;
  const text = containerText(field.schema, filling);
  const filled = (value: JsonValue): string => JSON.stringify(value).replace(`"${placeholder}"`, () => text);
  return { whole: filled(whole), part: filled(whole[top] ?? null) };
}

/** Puts the placeholder at a path, through the parts that are there. */
function place(object: JsonObject, path: readonly string[]): void {
  let at: JsonValue = object;
  for (const [index, name] of path.entries()) {
    const next = path[index + 1];
    const made: JsonValue = next === undefined ? placeholder : next === '[]' ? [] : {};
    if (Array.isArray(at)) at = at[0] = next === undefined || !isContainer(at[0]) ? made : at[0];
    else if (isJsonObject(at)) {
      const key: string = name === '{}' ? (Object.keys(at)[0] ?? 'key') : name;
      const present: JsonValue | undefined = at[key];
      at = at[key] = next === undefined || !isContainer(present) ? made : present;
    }
  }
}

function isContainer(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null;
}

function containerText(schema: ListSchema | MapSchema, filling: Filling): string {
  const isList = schema.type === 'list';
  const item = sample(isList ? schema.items : schema.values, filling, isList && keysOf(schema));
  const key = filling === 'bad' ? `!${numberMark}` : filling === 'equal' ? 'key' : keyFor(schema);
  const text = isList ? JSON.stringify(item) : `${JSON.stringify(key)}:${JSON.stringify(item)}`;
  const length = text.replaceAll(numberMark, '100000').length + 1;
  const count = Math.floor(Math.min(fieldBytes / length, valueLimit / valuesIn(item)));
  const items = Array.from({ length: count }, (_, index) => text.replaceAll(numberMark, String(index)));
  return isList ? `[${items.join(',')}]` : `{${items.join(',')}}`;
}

/** Names with a domain are right for labels and resources, those without for files. */
function keyFor(schema: ListSchema | MapSchema): string {
  const isFile = schema.type === 'map' && schema.keyFormat === 'config-key';
  return `${isFile ? '' : 'example.com/'}key${numberMark}`;
}

function keysOf(schema: ListSchema): ReadonlySet<string> {
  return new Set(schema.mapKeys);
}

function valuesIn(value: JsonValue): number {
  if (!isContainer(value)) return 1;
  return 1 + Object.values(value).reduce<number>((sum, part) => sum + valuesIn(part), 0);
}

/** One value of a schema: with what is required and what tells items apart, and its number where items differ. */
function sample(schema: Schema, filling: Filling, keys: ReadonlySet<string> | false = false): JsonValue {
  if (schema.type === 'list') return [];
  if (schema.type === 'map') return {};
  if (schema.type === 'object') return sampleObject(schema, filling, keys || new Set());
  return sampleScalar(schema, filling);
}

function sampleObject(schema: ObjectSchema, filling: Filling, keys: ReadonlySet<string>): JsonObject {
  const object: JsonObject = {};
  const fields = [...schema.fields.values()];
  const chosen = fields.filter(({ name, required }) => required || keys.has(name));
  // Without any, the first scalar: items that say nothing are not of interest.
  const first = fields.find(({ schema: part }) => !['list', 'map', 'object'].includes(part.type));
  for (const field of chosen.length > 0 ? chosen : first ? [first] : []) {
    object[field.name] = field.schema.type === 'object' ? {} : sample(field.schema, filling);
  }
  return object;
}

const byFormat: Readonly<Partial<Record<NonNullable<ScalarSchema['format']>, string>>> = {
  ip: '10.0.0.1',
  cidr: '10.0.0.0/8',
  uri: 'https://example.com',
};

const byType: Readonly<Partial<Record<ScalarSchema['type'], JsonValue>>> = {
  int32: 7,
  int64: 7,
  uint32: 7,
  uint64: 7,
  double: 7,
  bool: true,
  bytes: 'YQ==',
  time: '2026-01-01T00:00:00Z',
  microTime: '2026-01-01T00:00:00.000000Z',
  duration: '1h0m0s',
  quantity: '1',
  intOrString: 7,
  any: {},
  fieldsV1: {},
};

/** Bad texts are of the right type and break every rule that a text can have. */
function sampleScalar(schema: ScalarSchema, filling: Filling): JsonValue {
  const fixed = byType[schema.type];
  if (fixed !== undefined) return filling === 'bad' && typeof fixed === 'number' ? -7 : fixed;
  if (filling === 'bad') return `!${numberMark}`;
  if (schema.enum) return schema.enum[0] ?? '';
  const base = (schema.format && byFormat[schema.format]) ?? 'item';
  return filling === 'equal' ? base : `${base}${numberMark}`;
}
