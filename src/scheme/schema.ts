import type { JsonValue } from '../meta/json-value.ts';

/**
 * The one schema model. Built-in kinds compile to it from `proto/` descriptors, custom kinds from their OpenAPI
 * schema; every algorithm over objects (prune, default, validate, strict checks, patches, apply, Protobuf, OpenAPI)
 * is a free function over (schema, value).
 */
export type Schema = ScalarSchema | ObjectSchema | ListSchema | MapSchema;

/** String formats with a rule of their own. */
export type StringFormat =
  | 'dns-label'
  | 'dns-1035-label'
  | 'dns-subdomain'
  | 'label-key'
  | 'path-segment'
  | 'ip'
  | 'cidr'
  | 'port-name'
  | 'config-key'
  | 'uri';

/**
 * A value without parts, or one that the algorithms treat as opaque. `time` is RFC 3339 in seconds, `microTime` with
 * six decimals, `duration` a string like `1h30m`, `quantity` a canonical quantity string, `any` arbitrary JSON
 * (RawExtension), `fieldsV1` the field tree of managedFields.
 */
export interface ScalarSchema {
  readonly type: ScalarType;
  readonly format?: StringFormat;
  /** The values that are allowed; messages list them in this order. */
  readonly enum?: readonly string[];
  /** What is said of a value that is not allowed, where the allowed ones are not listed. */
  readonly enumDetail?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** What is said of a number out of bounds, where the bounds alone do not say it. */
  readonly boundsDetail?: string;
  readonly maxLength?: number;
}

/** The kinds of scalar. */
export type ScalarType =
  | 'string'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'uint64'
  | 'double'
  | 'bool'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'quantity'
  | 'intOrString'
  | 'any'
  | 'fieldsV1';

/** A message. Fields of inlined messages stand among `fields`. */
export interface ObjectSchema {
  readonly type: 'object';
  /** Full protobuf name of the message, or '' for a custom kind's nested object. */
  readonly name: string;
  /** By JSON name, in the order in which they are written. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Atomic: one manager owns the whole value (spec 4.8). */
  readonly atomic: boolean;
  /** Unknown fields are kept (custom kinds). */
  readonly preserveUnknown: boolean;
}

/** A list and how its items merge (spec 4.8). */
export interface ListSchema {
  readonly type: 'list';
  readonly items: Schema;
  readonly listType: 'atomic' | 'set' | 'map';
  /** JSON names of the fields that identify an item of a `map` list. */
  readonly mapKeys: readonly string[];
  /** On the wire the list stands in a message of its own, as its field 1. */
  readonly wrapped?: true;
}

/** A map from strings. */
export interface MapSchema {
  readonly type: 'map';
  readonly values: Schema;
  readonly atomic: boolean;
  /** Quantities in it keep what is below a thousandth; in other maps, which count resources, they are rounded up. */
  readonly exact?: true;
  /** A rule for the keys, where the API has one. */
  readonly keyFormat?: StringFormat;
}

/** How strategic merge treats a field. */
export interface PatchStrategy {
  readonly merge: boolean;
  readonly retainKeys: boolean;
  readonly mergeKey?: string;
}

/** One field of a message. */
export interface Field {
  /** JSON name. */
  readonly name: string;
  /** Protobuf number, in the inlined message where there is one. */
  readonly number: number;
  /** Numbers of the inlined messages that enclose the field on the wire, outermost first. */
  readonly inlinePath: readonly number[];
  /** Resolved on first use, because messages recurse. */
  readonly schema: Schema;
  /** Must have a value that is not empty ('', 0, no items). */
  readonly required: boolean;
  /** One that is missing is checked as an empty one, and not called missing. */
  readonly checkedWhenMissing?: true;
  /** What stands behind `Required value: ` when it is missing. */
  readonly requiredDetail?: string;
  /**
   * Written even when empty, as kube-apiserver does for embedded structs (`status: {}`) and some others: times and lists
   * as null, numbers as 0, strings as ''.
   */
  readonly alwaysPresent: boolean;
  /** An explicit empty value ('', 0, false) differs from none and is kept; elsewhere it counts as absent. */
  readonly explicit: boolean;
  readonly default?: JsonValue;
  /** The default holds only where another field of the message has this value. */
  readonly defaultWhen?: { readonly field: string; readonly value: string };
  readonly patch?: PatchStrategy;
  /** A sentence for OpenAPI, where the name does not explain itself. */
  readonly description?: string;
}
