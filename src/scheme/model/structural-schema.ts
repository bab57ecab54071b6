import { copyJson, getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { isTrue, objectAt, stringAt, stringsAt } from '../../meta/read-field.ts';

/**
 * A compiled structural schema: the shape of a custom kind, or of a part of one. Its algorithms are
 * the other files of this folder.
 */
export interface StructuralSchema {
  /** '' if values of several types are allowed. */
  readonly type: string;
  readonly nullable: boolean;
  readonly default: JsonValue | undefined;
  readonly properties: ReadonlyMap<string, StructuralSchema>;
  /** The schema of other fields; true: they have any value, without fields of their own. */
  readonly additional: StructuralSchema | true | undefined;
  readonly items: StructuralSchema | undefined;
  readonly preserveUnknown: boolean;
  /**
   * Set at the root of a kind whose objects keep unknown fields at every depth, below declared
   * properties too: `preserveUnknownFields` of a definition in v1beta1.
   */
  readonly keepsAll?: true;
  /** Set at the root of a kind whose errors have the form of release 1.24 and later. */
  readonly hasDetailedErrors?: true;
  /** Set at the root of a kind whose errors in status writes leave out `status`. */
  readonly namesInStatus?: true;
  /** Set at the root of a kind whose updates also check unchanged values. */
  readonly checksUnchanged?: UnchangedChecks;
  /** True for a whole object inside another one. */
  readonly embedded: boolean;
  readonly listType: 'atomic' | 'set' | 'map';
  readonly mapKeys: readonly string[];
  readonly atomicMap: boolean;
  /** The schema as it was written, with the rules for values. */
  readonly source: JsonObject;
}

/** The unchanged values that an update checks as if they were new. */
export interface UnchangedChecks {
  /** True for all values of an object that is updated. */
  readonly ofObjects: boolean;
  /** The unchanged values that a write of the status checks: none, in the status, or all. */
  readonly ofStatus: 'none' | 'status' | 'object';
}

/** Compiles the `openAPIV3Schema` of a version, which must be structural. */
export function compileStructuralSchema(source: JsonObject): StructuralSchema {
  const items = getOwn(source, 'items');
  const given = getOwn(source, 'default');
  return {
    type: stringAt(source, 'type'),
    nullable: isTrue(source, 'nullable'),
    default: given === undefined || given === null ? undefined : copyJson(given),
    properties: new Map(
      Object.entries(objectAt(source, 'properties')).flatMap(([name, part]) =>
        isJsonObject(part) ? [[name, compileStructuralSchema(part)] as const] : [],
      ),
    ),
    additional: additionalOf(getOwn(source, 'additionalProperties')),
    items: items !== undefined && isJsonObject(items) ? compileStructuralSchema(items) : undefined,
    preserveUnknown: hasExtension(source, 'preserve-unknown-fields'),
    embedded: hasExtension(source, 'embedded-resource'),
    listType: listTypeOf(extensionAt(source, 'list-type')),
    mapKeys: mapKeysOf(source),
    atomicMap: extensionAt(source, 'map-type') === 'atomic',
    source,
  };
}

function additionalOf(value: JsonValue | undefined): StructuralSchema['additional'] {
  if (value === true) return true;
  return value !== undefined && isJsonObject(value) ? compileStructuralSchema(value) : undefined;
}

function listTypeOf(value: JsonValue | undefined): StructuralSchema['listType'] {
  return value === 'set' || value === 'map' ? value : 'atomic';
}

function mapKeysOf(source: JsonObject): readonly string[] {
  const name = extensionOf(source, 'list-map-keys');
  return name === undefined ? [] : stringsAt(source, name);
}

/** The value of an extension, whose prefix depends on the identifiers. */
function extensionAt(source: JsonObject, name: string): JsonValue | undefined {
  const full = extensionOf(source, name);
  return full === undefined ? undefined : getOwn(source, full);
}

/** The full name of an extension in a schema, with any prefix; undefined if there is none. */
export function extensionOf(schema: JsonObject, name: string): string | undefined {
  return Object.keys(schema).find((key) => key.startsWith('x-') && key.endsWith(`-${name}`));
}

/** True if an extension of a schema is true. */
export function hasExtension(schema: JsonObject, name: string): boolean {
  const extension = extensionOf(schema, name);
  return extension !== undefined && schema[extension] === true;
}
