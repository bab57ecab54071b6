/** The kinds of types without parts. */
type SimpleKind =
  | 'dyn'
  | 'error'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration';

/**
 * A type of the Common Expression Language. Types of schemas have `max`: the number of characters,
 * bytes or items that their values have at most, for estimates of cost.
 */
export type CelType =
  | { readonly kind: SimpleKind; readonly max?: number }
  | ListType
  | MapType
  | ObjectType
  | { readonly kind: 'optional'; readonly value: CelType }
  | { readonly kind: 'type'; readonly of: CelType }
  /** A type of a library, such as `Quantity`, with functions only. */
  | { readonly kind: 'opaque'; readonly name: string }
  /** A parameter of a function, or a part of a literal whose type is not known yet. */
  | { readonly kind: 'variable'; readonly name: string };

/** A list. `keys` are the keys of a list of type map, [] for a list of type set. */
interface ListType {
  readonly kind: 'list';
  readonly element: CelType;
  readonly max?: number;
  readonly keys?: readonly string[];
}

/** A map. Maps of schemas have texts as keys. */
interface MapType {
  readonly kind: 'map';
  readonly key: CelType;
  readonly value: CelType;
  readonly max?: number;
}

/** An object of a schema. Its fields have the names that expressions use. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  readonly fields: ReadonlyMap<string, ObjectField>;
  /** The type of all undeclared fields; absent: there are none. */
  readonly otherFields?: CelType;
}

/** A field of an object; `name` is that in JSON. */
export interface ObjectField {
  readonly name: string;
  readonly type: CelType;
}

function simple<Kind extends SimpleKind>(kind: Kind): { readonly kind: Kind } {
  return Object.freeze({ kind });
}

/** Types without parts, by name. */
export const types = Object.freeze({
  dyn: simple('dyn'),
  error: simple('error'),
  bool: simple('bool'),
  int: simple('int'),
  uint: simple('uint'),
  double: simple('double'),
  string: simple('string'),
  bytes: simple('bytes'),
  null: simple('null'),
  timestamp: simple('timestamp'),
  duration: simple('duration'),
});

/** The list of a type. */
export function listOf(element: CelType): ListType {
  return { kind: 'list', element };
}

/** The map of two types. */
export function mapOf(key: CelType, value: CelType): MapType {
  return { kind: 'map', key, value };
}

/** A type as messages show it. */
export function formatType(type: CelType): string {
  if (type.kind === 'list') return `list(${formatType(type.element)})`;
  if (type.kind === 'map') return `map(${formatType(type.key)}, ${formatType(type.value)})`;
  if (type.kind === 'optional') return `optional_type(${formatType(type.value)})`;
  if (type.kind === 'type') return `type(${formatType(type.of)})`;
  return 'name' in type ? type.name : type.kind === 'error' ? '!error!' : type.kind;
}

/** The name of the runtime type of values. */
export function runtimeNameOf(type: CelType): string {
  return 'name' in type ? type.name : (runtimeNames[type.kind] ?? type.kind);
}

const runtimeNames: Partial<Readonly<Record<CelType['kind'], string>>> = {
  duration: 'google.protobuf.Duration',
  null: 'null_type',
  optional: 'optional_type',
  timestamp: 'google.protobuf.Timestamp',
};
