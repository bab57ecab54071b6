import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type { FieldError } from '../../status/field-error.ts';
import type { StructuralSchema } from './structural-schema.ts';

/**
 * The schema model. Built-in kinds are compiled to it from `proto/` descriptors, custom kinds
 * from their OpenAPI schema. All algorithms over objects (prune, default, validate, strict
 * decoding, patch, apply, Protobuf, OpenAPI) are functions over (schema, value).
 */
export type Schema = ScalarSchema | ObjectSchema | ListSchema | MapSchema;

/** String formats with a validation rule. */
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
 * A scalar, or a value that the algorithms treat as opaque. `time` is RFC 3339 in seconds,
 * `microTime` has six decimals, `duration` is a string like `1h30m`, `quantity` a canonical
 * quantity, `any` arbitrary JSON (RawExtension), `fieldsV1` the field set of managedFields.
 */
export interface ScalarSchema {
  readonly type: ScalarType;
  /** Full protobuf name of the message of an `any`; absent in custom kinds. */
  readonly message?: string;
  readonly format?: StringFormat;
  /** The allowed values, in the order of messages. */
  readonly enum?: readonly string[];
  /** The message for a value that is not allowed; absent: it lists the allowed ones. */
  readonly enumDetail?: string;
  /** The values that published schemas list, if rules of the kind check them instead of `enum`. */
  readonly publishedEnum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** The message for a number out of bounds; absent: it states the bounds. */
  readonly boundsDetail?: string;
  readonly maxLength?: number;
}

/** The scalar types. */
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

/**
 * Runs the rules of a kind on a new or changed object, whose other errors are `found`. `warn`
 * reports errors that are not new. Returns all errors; a promise if many rules yield.
 */
export type ValidateRules = (
  object: JsonObject,
  context: {
    readonly old?: JsonObject;
    /** True for a write of the status. */
    readonly isStatus?: boolean;
    readonly found: readonly FieldError[];
    /** The release whose rules objects follow: `1.36`. */
    readonly release: string;
    readonly warn: (text: string) => void;
  },
) => MaybePromise<readonly FieldError[]>;

/** A message. `fields` includes the fields of inlined messages. */
export interface ObjectSchema {
  readonly type: 'object';
  /** Full protobuf name; '' for a nested object of a custom kind. */
  readonly name: string;
  /** By JSON name, in serialization order. */
  readonly fields: ReadonlyMap<string, Field>;
  /** True if one manager owns the whole value (spec 4.8). */
  readonly atomic: boolean;
  /** True if unknown fields are kept (custom kinds). */
  readonly preserveUnknown: boolean;
  /**
   * Set for a custom kind and the objects in it: values are decoded, defaulted and validated by
   * this schema. Only metadata and the ownership of fields follow from `fields`.
   */
  readonly structural?: StructuralSchema;
  /**
   * Set for a custom kind that OpenAPI describes without compiling it: reads its schema from its
   * definition. No value can be decoded by such a schema.
   */
  readonly declared?: () => JsonObject;
  /** The feature gates of the fields of the message and of all nested ones; absent: none. */
  readonly gates?: readonly string[];
  /** Set for a custom kind with rules that are expressions. */
  readonly validateRules?: ValidateRules;
  /** The fields of a union, of which at most one is set, and its discriminator. For OpenAPI. */
  readonly union?: { readonly discriminator?: string; readonly members: readonly string[] };
  /** The description for OpenAPI; descriptions of built-in messages are in `descriptionsOf`. */
  readonly description?: string;
}

/** A list and the way its items merge (spec 4.8). */
export interface ListSchema {
  readonly type: 'list';
  readonly items: Schema;
  readonly listType: 'atomic' | 'set' | 'map';
  /** JSON names of the fields that identify an item of a `map` list. */
  readonly mapKeys: readonly string[];
  /**
   * Set if the list type is not declared: it follows from the patch strategy, or lists are atomic.
   */
  readonly implied?: true;
  /** Set if the Protobuf form wraps the list in a message, as field 1. */
  readonly wrapped?: true;
}

/** A map with string keys. */
export interface MapSchema {
  readonly type: 'map';
  readonly values: Schema;
  readonly atomic: boolean;
  /** Set for objects of custom kinds: values that are no objects are leaves. */
  readonly undescribed?: true;
  /**
   * Set if quantities in the map are not rounded up to thousandths, as they are in resource
   * lists.
   */
  readonly exact?: true;
  /** Format of the keys, if any. */
  readonly keyFormat?: StringFormat;
}

/** The strategic merge options of a field. */
export interface PatchStrategy {
  readonly merge: boolean;
  readonly retainKeys: boolean;
  /** An object of the patch takes the place of the stored one. */
  readonly replace?: true;
  readonly mergeKey?: string;
}

/** One field of a message. */
export interface Field {
  /** JSON name. */
  readonly name: string;
  /** Protobuf number; for an inlined field, the number in its own message. */
  readonly number: number;
  /** Numbers of the inlined messages that enclose the field in Protobuf, outermost first. */
  readonly inlinePath: readonly number[];
  /** Resolved on first access, because messages recurse. */
  readonly schema: Schema;
  /** True if the field must be set and not empty ('', 0, no items). */
  readonly required: boolean;
  /** True if OpenAPI requires the field; absent: it follows from `alwaysPresent`. */
  readonly publishedRequired?: boolean;
  /** If set, a missing value is validated as '' and not reported as missing. */
  readonly checkedWhenMissing?: true;
  /** Set if the rules of the kind check the field and its content, and the schema does not. */
  readonly unchecked?: true;
  /** Text after `Required value: ` if the field is missing. */
  readonly requiredDetail?: string;
  /**
   * True if the field is serialized even when empty, as kube-apiserver does for embedded structs
   * (`status: {}`) and some others. Times and lists are then null, numbers 0, strings ''.
   */
  readonly alwaysPresent: boolean;
  /** Set if Protobuf encodes the field also when it is empty, though it is not `alwaysPresent`. */
  readonly embedded?: true;
  /** True if an item of a keyed list without this key counts as having an empty one. */
  readonly emptyKey?: true;
  /**
   * True if an empty value ('', 0, false) differs from an absent one and is kept. An empty list or
   * map is kept for the rules that distinguish it, and dropped before the object is stored.
   */
  readonly explicit: boolean;
  /** Set if an empty list or map is stored, too (custom kinds). */
  readonly keepsEmpty?: true;
  readonly default?: JsonValue;
  /** The default applies only if another field of the message has this value. */
  readonly defaultWhen?: { readonly field: string; readonly value: string };
  readonly patch?: PatchStrategy;
  /** The feature gate without which the field is dropped from new values. */
  readonly gate?: string;
  /**
   * The description for OpenAPI; absent: the description of the field's message. Descriptions of
   * built-in fields are in `descriptionsOf`.
   */
  readonly description?: string;
}
