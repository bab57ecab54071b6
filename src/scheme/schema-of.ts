import { type FieldRow, type MessageRow, messageRows } from '../gen/schema.ts';
import type { JsonValue } from '../meta/json-value.ts';
import type {
  Field,
  ListSchema,
  MapSchema,
  ObjectSchema,
  PatchStrategy,
  ScalarSchema,
  ScalarType,
  Schema,
  StringFormat,
} from './model/schema.ts';
import { memoizeText } from '../meta/memoize.ts';
import { isSince, newestRelease } from './api-release.ts';

/**
 * The schema of a built-in message by its full protobuf name (`api.core.v1.Pod`), with the fields
 * of a release; absent: of the newest. Releases share it if the message does not differ between
 * them. Compiled on first use, and fields on first access, so that a server only compiles the kinds
 * it handles. Throws for a name that proto/ does not declare and for messages that are a single
 * value in JSON; both are bugs of the caller.
 */
export function schemaOf(messageName: string, release: string = newestRelease): ObjectSchema {
  const schema = messageSchema(messageName, release);
  if (schema.type !== 'object') throw new TypeError(`${messageName} is not an object in JSON`);
  return schema;
}

/** Finds a built-in message that is an object in JSON; undefined if proto/ declares none. */
export function findSchema(messageName: string, release: string = newestRelease): ObjectSchema | undefined {
  const schema = hasMessage(messageName) ? messageSchema(messageName, release) : undefined;
  return schema?.type === 'object' ? schema : undefined;
}

function hasMessage(messageName: string): boolean {
  return Object.hasOwn(messageRows, messageName);
}

function messageSchema(messageName: string, release: string): Schema {
  return schemasOfRelease(release)(messageName);
}

/** The schemas of each release by message name. A process uses few releases. */
const schemasOfRelease = memoizeText(
  (release) =>
    memoizeText(
      (messageName): Schema => {
        const row = rowOf(messageName);
        const first = firstSuchRelease(row, release);
        return first === release ? compileMessage(messageName, row, release) : messageSchema(messageName, first);
      },
      { most: Infinity },
    ),
  { most: Infinity },
);

/** A release before the first that changed a message. */
const beforeAll = '1.0';

/** The first release in which a message, with its nested messages, is the same as in a release. */
function firstSuchRelease({ releases = [] }: MessageRow, release: string): string {
  return releases.findLast((one) => isSince(release, one)) ?? beforeAll;
}

/** True if a release is `since` or later, or if there is no `since`. */
function holdsSince(since: string | undefined, release: string): boolean {
  return since === undefined || isSince(release, since);
}

/** True if a release has the field. */
export function isInRelease({ since, removed }: FieldRow, release: string): boolean {
  return (since === undefined || isSince(release, since)) && (removed === undefined || !isSince(release, removed));
}

/** The declaration of a message, parsed at each call. Throws TypeError for an unknown name. */
export function rowOf(messageName: string): MessageRow {
  const text = hasMessage(messageName) ? messageRows[messageName] : undefined;
  if (text === undefined) throw new TypeError(`no message ${messageName} in proto/`);
  // The table is generated together with the type.
  return JSON.parse(text) as MessageRow;
}

function compileMessage(messageName: string, row: MessageRow, release: string): Schema {
  // The plugin writes names of the enum Scalar, which are names of ScalarType.
  if (row.scalar) return { type: row.scalar as ScalarType };
  const [only] = row.fields;
  if (row.bareList && only) return { ...listSchema(only, release), wrapped: true };
  return objectSchema(messageName, row, release);
}

function objectSchema(messageName: string, row: MessageRow, release: string): ObjectSchema {
  let fields: ReadonlyMap<string, Field> | undefined;
  return {
    type: 'object',
    name: messageName,
    atomic: row.atomic === true && holdsSince(row.atomicSince, release),
    ...(row.union ? { union: row.union } : {}),
    preserveUnknown: false,
    ...(row.gates ? { gates: row.gates } : {}),
    get fields() {
      fields ??= new Map(compileFields(row, release, []).map((field) => [field.name, field]));
      return fields;
    },
  };
}

/** The fields that a release has. */
function compileFields({ fields }: MessageRow, release: string, inlinePath: readonly number[]): Field[] {
  return fields.filter((row) => isInRelease(row, release)).flatMap((row) => compileField(row, release, inlinePath));
}

/** One field, or all fields of an inlined message. */
function compileField(row: FieldRow, release: string, inlinePath: readonly number[]): Field[] {
  if (row.inline && row.message) return compileFields(rowOf(row.message), release, [...inlinePath, row.number]);
  let schema: Schema | undefined;
  return [
    {
      name: row.name,
      number: row.number,
      inlinePath,
      get schema() {
        schema ??= fieldSchema(row, release);
        return schema;
      },
      required: row.required === true,
      ...publishedRequirement(row, release),
      ...(row.checkedWhenMissing ? { checkedWhenMissing: true } : {}),
      ...(row.unchecked ? { unchecked: true } : {}),
      ...presenceOf(row, release),
      ...(row.emptyKeySince && isSince(release, row.emptyKeySince) ? { emptyKey: true } : {}),
      explicit: row.explicit === true,
      ...(row.requiredDetail === undefined ? {} : { requiredDetail: row.requiredDetail }),
      // Defaults in proto/ are JSON values.
      ...(row.default === undefined ? {} : { default: row.default as JsonValue }),
      ...(row.defaultWhen ? { defaultWhen: row.defaultWhen } : {}),
      ...(row.patch && holdsSince(row.patch.since, release) ? { patch: patchStrategy(row.patch) } : {}),
      ...(row.gate ? { gate: row.gate } : {}),
    },
  ];
}

/** The encoding of empty values: since `omittedSince` they are in Protobuf, but not in JSON. */
function presenceOf(
  { alwaysPresent, omittedSince }: FieldRow,
  release: string,
): Pick<Field, 'alwaysPresent' | 'embedded'> {
  const isOmitted = omittedSince !== undefined && isSince(release, omittedSince);
  return { alwaysPresent: alwaysPresent === true && !isOmitted, ...(isOmitted ? { embedded: true } : {}) };
}

function publishedRequirement(row: FieldRow, release: string): Pick<Field, 'publishedRequired'> {
  const { publishedRequired: now, publishedSince: since } = row;
  if (now === undefined) return {};
  return { publishedRequired: since === undefined || isSince(release, since) ? now : !now };
}

function patchStrategy({ merge, retainKeys, replace, mergeKey }: NonNullable<FieldRow['patch']>): PatchStrategy {
  return {
    merge: merge === true,
    retainKeys: retainKeys === true,
    ...(replace ? { replace } : {}),
    ...(mergeKey ? { mergeKey } : {}),
  };
}

function fieldSchema(row: FieldRow, release: string): Schema {
  if (row.kind === 'list') return listSchema(row, release);
  if (row.kind === 'map') return mapSchema(row, release);
  return singleSchema(row, release);
}

function listSchema(row: FieldRow, release: string): ListSchema {
  return {
    type: 'list',
    items: singleSchema(row, release),
    listType: row.listType === 'set' || row.listType === 'map' ? row.listType : listTypeOfPatch(row),
    mapKeys: row.listMapKeys ?? (row.patch?.merge && row.patch.mergeKey ? [row.patch.mergeKey] : []),
    ...(row.listType ? {} : { implied: true }),
  };
}

/** The list type of a field without one: the patch strategy decides how items merge (spec 4.8). */
function listTypeOfPatch({ listType, patch }: FieldRow): ListSchema['listType'] {
  if (listType || !patch?.merge) return 'atomic';
  return patch.mergeKey ? 'map' : 'set';
}

function mapSchema(row: FieldRow, release: string): MapSchema {
  return {
    type: 'map',
    values: singleSchema(row, release),
    atomic: row.mapType === 'atomic',
    ...(row.exact ? { exact: true } : {}),
    ...(row.keyFormat ? { keyFormat: row.keyFormat as StringFormat } : {}),
  };
}

function singleSchema(row: FieldRow, release: string): Schema {
  if (!row.message) return scalarSchema(row, scalarType(row.scalar), release);
  const schema = messageSchema(row.message, release);
  if (schema.type === 'object') return row.structType === 'granular' && schema.atomic ? granular(schema) : schema;
  return schema.type === 'list' || schema.type === 'map' ? schema : scalarSchema(row, schema.type, release);
}

/** The same message with separate ownership of each field. */
function granular(schema: ObjectSchema): ObjectSchema {
  return {
    type: 'object',
    name: schema.name,
    atomic: false,
    preserveUnknown: schema.preserveUnknown,
    ...(schema.gates ? { gates: schema.gates } : {}),
    get fields() {
      return schema.fields;
    },
  };
}

function scalarSchema(row: FieldRow, type: ScalarType, release: string): ScalarSchema {
  return {
    type,
    ...(type === 'any' && row.message ? { message: row.message } : {}),
    // The plugin writes names of the enum StringFormat, which are the values of the type.
    ...(row.format ? { format: row.format as StringFormat } : {}),
    ...(row.enum ? { enum: valuesIn(row, row.enum, release) } : {}),
    ...(row.publishedEnum ? { publishedEnum: valuesIn(row, row.publishedEnum, release) } : {}),
    ...(row.enumDetail ? { enumDetail: row.enumDetail } : {}),
    ...(row.minimum === undefined ? {} : { minimum: row.minimum }),
    ...(row.maximum === undefined ? {} : { maximum: row.maximum }),
    ...(row.boundsDetail ? { boundsDetail: row.boundsDetail } : {}),
    ...(row.maxLength === undefined ? {} : { maxLength: row.maxLength }),
  };
}

/** The values of an enumeration in a release. */
function valuesIn({ laterValues }: FieldRow, values: readonly string[], release: string): readonly string[] {
  if (!laterValues) return values;
  const later = new Set(laterValues.filter(({ since }) => !isSince(release, since)).map(({ value }) => value));
  return values.filter((value) => !later.has(value));
}

const scalarTypes: ReadonlySet<string> = new Set([
  'string',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'double',
  'bool',
  'bytes',
]);

function scalarType(name: string | undefined): ScalarType {
  if (name === undefined || !scalarTypes.has(name)) throw new TypeError(`no scalar type ${name}`);
  // Checked in the line above.
  return name as ScalarType;
}
