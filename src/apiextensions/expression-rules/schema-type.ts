import { numberAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import { getOwn, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { hasExtension, type StructuralSchema } from '../../scheme/model/structural-schema.ts';
import { type CelType, types } from '../../cel/types/cel-type.ts';
import { type CelValue, Failure, Duration, Timestamp } from '../../cel/values/cel-value.ts';
import { readList, readMap, readObject } from './schema-values.ts';
import { parseDuration } from '../../meta/duration.ts';
import { parseTimestamp } from '../../cel/values/timestamp.ts';

function wrong(what: string): Failure {
  return new Failure(`invalid data, expected ${what}`);
}

function wholeNumber(value: JsonValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

/** Reads a text, which has a meaning or not. */
function textReader(read: (text: string) => CelValue | undefined, what: string): (value: JsonValue) => CelValue {
  const failure = wrong(what);
  return (value) => (typeof value === 'string' ? (read(value) ?? failure) : failure);
}

function durationOf(text: string): Duration | undefined {
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : new Duration(nanos);
}

function timestampOf(text: string): Timestamp | undefined {
  const nanos = parseTimestamp(text);
  return nanos === undefined ? undefined : new Timestamp(nanos);
}

/** The values of scalar types, by the type or format of their schema. */
const scalarReaders: Readonly<Record<string, (value: JsonValue) => CelValue>> = {
  boolean: (value) => (typeof value === 'boolean' ? value : wrong('boolean')),
  byte: textReader((text) => Uint8Array.from(Buffer.from(text, 'base64')), 'base64 encoded string'),
  date: textReader((text) => timestampOf(`${text}T00:00:00Z`), 'date'),
  'date-time': textReader(timestampOf, 'date-time'),
  duration: textReader(durationOf, 'duration'),
  intOrString: (value) =>
    typeof value === 'string' ? value : (wholeNumber(value) ?? wrong('a value that is a string or an integer')),
  integer: (value) => wholeNumber(value) ?? wrong('integer'),
  number: (value) => (typeof value === 'number' || typeof value === 'bigint' ? Number(value) : wrong('number')),
  string: textReader((text) => text, 'string'),
};

/** A structural schema as expressions see it. */
export interface SchemaType {
  readonly schema: StructuralSchema;
  readonly type: CelType;
  /** The fewest bytes that a value takes in JSON, for estimates. */
  readonly minSize: number;
  readonly read: (value: JsonValue) => CelValue;
  /** The parts of an object by their names in JSON, without parts of unknown types. */
  readonly fields: ReadonlyMap<string, SchemaType>;
  /** The items of a list, or the values of a map. */
  readonly element: SchemaType | undefined;
}

/** The bytes of the largest request. */
export const largestRequest = 3 * 1024 * 1024;

const noFields: ReadonlyMap<string, SchemaType> = new Map();

/**
 * The type of a schema; undefined if nothing is known about its values. Whole objects have their
 * identity, whether the schema has it or not. `name` is the name of its type.
 */
export function schemaTypeOf(schema: StructuralSchema, name: string, isRoot = false): SchemaType | undefined {
  const { source } = schema;
  if (hasExtension(source, 'int-or-string')) return scalarType(schema, 'intOrString');
  if (schema.type === 'array') return listType(schema, name);
  if (schema.type === 'object') return objectOrMapType(schema, name, isRoot || schema.embedded);
  if (schema.type !== 'string')
    return Object.hasOwn(scalarTypes, schema.type) ? scalarType(schema, schema.type) : undefined;
  const format = stringAt(source, 'format');
  return scalarType(schema, Object.hasOwn(scalarTypes, format) ? format : 'string');
}

/** Scalar types: their type, the fewest bytes and the most characters of values. */
const scalarTypes: Readonly<Record<string, readonly [type: CelType, minSize: number, max?: number]>> = {
  boolean: [types.bool, 4],
  byte: [types.bytes, 2, largestRequest - 2],
  date: [types.timestamp, 12, 12],
  'date-time': [types.timestamp, 21, 32],
  duration: [types.duration, 3, 32],
  intOrString: [types.dyn, 1, largestRequest - 2],
  integer: [types.int, 1],
  number: [types.double, 1],
  string: [types.string, 2, largestRequest - 2],
};

function scalarType(schema: StructuralSchema, kind: string): SchemaType | undefined {
  const row = scalarTypes[kind];
  const reader = scalarReaders[kind];
  if (!row || !reader) return undefined;
  const [type, minSize, max] = row;
  const limit = limitOf(kind, schema.source) ?? max;
  return leaf(schema, {
    type: limit === undefined ? type : ({ ...type, max: limit } as CelType),
    minSize,
    read: nullable(schema, reader),
  });
}

/** The most characters by the schema. A character of a text has up to four bytes. */
function limitOf(kind: string, source: JsonObject): number | undefined {
  if (kind !== 'string' && kind !== 'byte') return undefined;
  const most = numberAt(source, 'maxLength');
  if (most !== undefined) return Math.max(0, most) * (kind === 'string' ? 4 : 1);
  const allowed = getOwn(source, 'enum');
  if (kind === 'byte' || !Array.isArray(allowed) || allowed.length === 0) return undefined;
  return Math.max(0, ...allowed.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}

function leaf(schema: StructuralSchema, parts: Pick<SchemaType, 'type' | 'minSize' | 'read'>): SchemaType {
  return { schema, fields: noFields, element: undefined, ...parts };
}

const noNull = new Failure('invalid data, got null for schema with nullable=false');

function nullable({ nullable: isNullable }: StructuralSchema, read: SchemaType['read']): SchemaType['read'] {
  return (value) => (value === null ? (isNullable ? null : noNull) : read(value));
}

function listType(schema: StructuralSchema, name: string): SchemaType | undefined {
  const element = schema.items && schemaTypeOf(schema.items, `${name}.@idx`);
  if (!element) return undefined;
  const max = numberAt(schema.source, 'maxItems') ?? Math.floor((largestRequest - 2) / (element.minSize + 1));
  return {
    ...leaf(schema, {
      type: { kind: 'list', element: element.type, max: Math.max(0, max) },
      minSize: 2,
      read: nullable(schema, readList(schema, element.read)),
    }),
    element,
  };
}

function objectOrMapType(schema: StructuralSchema, name: string, isWhole: boolean): SchemaType | undefined {
  const { additional } = schema;
  if (additional === undefined || additional === true) return objectType(schema, name, isWhole);
  const element = schemaTypeOf(additional, `${name}.@elem`);
  if (!element) return undefined;
  const max = numberAt(schema.source, 'maxProperties') ?? Math.floor((largestRequest - 2) / (element.minSize + 6));
  return {
    ...leaf(schema, {
      type: { kind: 'map', key: types.string, value: element.type, max: Math.max(0, max) },
      minSize: 2,
      read: nullable(schema, readMap(element.read)),
    }),
    element,
  };
}

const textSchema: StructuralSchema = {
  type: 'string',
  nullable: false,
  default: undefined,
  properties: new Map(),
  additional: undefined,
  items: undefined,
  preserveUnknown: false,
  embedded: false,
  listType: 'atomic',
  mapKeys: [],
  atomicMap: false,
  source: {},
};

/** The fields of whole objects, of which rules see the names only. */
const identity: readonly (readonly [string, StructuralSchema])[] = [
  ['apiVersion', textSchema],
  ['kind', textSchema],
  [
    'metadata',
    {
      ...textSchema,
      type: 'object',
      properties: new Map([
        ['name', textSchema],
        ['generateName', textSchema],
      ]),
    },
  ],
];

/**
 * Reports whether a schema itself declares kind, apiVersion and the names in metadata. Otherwise
 * they are added.
 */
function hasIdentity({ properties }: StructuralSchema): boolean {
  const metadata = properties.get('metadata');
  const isNamed = ['name', 'generateName'].every((name) => isText(metadata?.properties.get(name)));
  return ['apiVersion', 'kind'].every((name) => isText(properties.get(name))) && metadata?.type === 'object' && isNamed;
}

function isText(part: StructuralSchema | undefined): boolean {
  return part?.type === 'string';
}

function objectType(schema: StructuralSchema, name: string, isWhole: boolean): SchemaType {
  const properties = isWhole && !hasIdentity(schema) ? new Map([...schema.properties, ...identity]) : schema.properties;
  const fields = new Map(
    [...properties].flatMap(([field, part]) => {
      const type = schemaTypeOf(part, `${name}.${field}`);
      return type ? [[field, type] as const] : [];
    }),
  );
  const named = [...fields].flatMap(([field, { type }]) => {
    const escaped = escapeName(field);
    return escaped === undefined ? [] : [[escaped, { name: field, type }] as const];
  });
  const type: CelType = { kind: 'object', name, fields: new Map(named) };
  const read = nullable(
    schema,
    readObject(type, new Map(named.map(([escaped, { name: field }]) => [escaped, field])), fields),
  );
  return { ...leaf(schema, { type, minSize: minSizeOf(schema, fields), read }), fields };
}

/** The braces, and the fields that must be there and have no default. */
function minSizeOf({ source }: StructuralSchema, fields: ReadonlyMap<string, SchemaType>): number {
  return stringsAt(source, 'required').reduce((size, name) => {
    const field = fields.get(name);
    return field && field.schema.default === undefined ? size + name.length + field.minSize + 4 : size;
  }, 2);
}

const keywords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const accessible = /^[a-zA-Z_.\-/][a-zA-Z0-9_.\-/]*$/;

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name of a field in expressions; undefined if they cannot name it. */
function escapeName(name: string): string | undefined {
  if (!accessible.test(name)) return undefined;
  if (keywords.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[.\-/]/g, (part) => escapes[part] ?? part);
}
