import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import type { FieldError } from '../status/field-error.ts';
import type { StatusSubject } from '../status/status-error.ts';
import type { ObjectsOf } from './objects-of.ts';
import type { StrategyContext } from './strategy-context.ts';

export type { StrategyContext } from './strategy-context.ts';

/**
 * What is special about a kind; everything here is optional, and the generic registry does the rest. Objects are in the
 * storage version, with defaults applied. `prepare` and `default` hooks may change `object` and never `old`;
 * `validate` hooks change nothing and return every error.
 */
export interface Strategy {
  /** How names are checked; the default is a DNS-1123 subdomain. Returns messages, empty when valid. */
  readonly validateName?: (name: string, prefix: boolean) => readonly string[];
  /** A new object without a name is given a UUID for one, whatever its `generateName` says. Default false. */
  readonly randomNames?: boolean;
  /** Defaults that depend on other fields, applied after the schema's own, on every write but those to the status. */
  readonly default?: (object: JsonObject, context: StrategyContext) => void;
  /**
   * The path of an object in which most of each object lies (a pod template), where no hook changes it any more once it has its
   * defaults and nothing outside of it decides whether it is valid. Writes that leave it as it is do not read or check it again.
   */
  readonly largePart?: readonly string[];
  /** Before the first write: reset what the client may not set. Status is reset by the registry where it is a sub-resource. */
  readonly prepareForCreate?: (object: JsonObject, context: StrategyContext) => void;
  readonly prepareForUpdate?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
  /** `old` is there on updates, for rules that bind only what an update newly asks for, or that are reported first. */
  readonly validate?: (object: JsonObject, context: StrategyContext, old?: JsonObject) => readonly FieldError[];
  /** Runs after `validate` on creates: rules that objects of an earlier release may break, or that want a library of their own. */
  readonly validateCreate?: (
    object: JsonObject,
    context: StrategyContext,
  ) => readonly FieldError[] | Promise<readonly FieldError[]>;
  /** What may not change. Its errors are reported after those of `validate` and of the schema. */
  readonly validateUpdate?: (object: JsonObject, old: JsonObject, context: StrategyContext) => readonly FieldError[];
  /** Any well-formed finalizer may stand without a domain, not only those of the protocol. Default false. */
  readonly plainFinalizers?: boolean;
  /**
   * Paths whose schema errors are suppressed, with `[]` for any index: parts that `validate` reports at other paths, or not at
   * all. Where it reports the same field nothing need be said.
   */
  readonly suppressSchemaErrorsAt?: readonly string[];
  /** A client may set the status of a new object, although it is a sub-resource afterwards (nodes). Default false. */
  readonly statusOnCreate?: boolean;
  /** A PUT of a missing object creates it. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** A PUT without resourceVersion is unconditional. Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /** Selectable fields beyond those of every object; every object must give every field. */
  readonly selectableFields?: readonly string[];
  /** By short group: all selectable fields of the kind in a group that names them in other ways, with the names here. */
  readonly fieldAliases?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly fieldsOf?: (object: JsonObject) => Readonly<Record<string, string>>;
  /**
   * Changes outside metadata and status increment `metadata.generation`; 'fixed' sets it to 1 for good, and false keeps none.
   * Default: true where there is a status sub-resource.
   */
  readonly generation?: boolean | 'fixed';
  /** Whether a write to the object itself increments the generation although it changes metadata and status alone. */
  readonly raisesGeneration?: (object: JsonObject, old: JsonObject) => boolean;
  /** Seconds of grace for a delete that names none; undefined deletes at once. Pods only. */
  readonly defaultGracePeriodSeconds?: (object: JsonObject) => number | undefined;
  /**
   * Keeps an object whose deletion has begun, besides its finalizers (a namespace with `spec.finalizers`). Such an object
   * is not given a grace period; it goes with the write after which nothing holds it.
   */
  readonly holdsDeletion?: (object: JsonObject) => boolean;
  /**
   * What becomes of the dependents of a deleted object where neither the request nor the object says so, by the version of the
   * request: the collector deletes them afterwards (default), or leaves them. 'none': the kind has no dependents, and takes no policy.
   */
  readonly dependents?: (version: string) => 'collect' | 'orphan' | 'none';
  /** Why an object may not be deleted by its name; undefined where it may (classes of the system). */
  readonly refuseDelete?: (object: JsonObject) => string | undefined;
  /** Changes the object when its deletion begins but does not end at once (the phase of a namespace). */
  readonly prepareForDelete?: (object: JsonObject, context: StrategyContext) => void;
  /** A delete that removes the object answers the object, not a Status (pods, services, ...). Default false. */
  readonly returnsDeletedObject?: boolean;
  /** The store removes objects some time after their last write; the server is told how long. Events only. Default false. */
  readonly expires?: boolean;
  /** Overrides for writes to a sub-resource, by its name. */
  readonly subresources?: Readonly<Record<string, SubresourceStrategy>>;
}

/**
 * What is special about a sub-resource. One that takes and answers the parent's kind (`status`, `approval`, `finalize`) has at most
 * the two hooks for updates; objects in them are the parent's, whatever the sub-resource takes.
 */
export interface SubresourceStrategy {
  /** Of `status` alone: its part of the defaults that depend on other fields. It may change status and metadata. */
  readonly default?: (object: JsonObject, context: StrategyContext) => void;
  /** Put back what this sub-resource may not change. For `status` the registry keeps everything but status by itself. */
  readonly prepareForUpdate?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
  readonly validateUpdate?: (object: JsonObject, old: JsonObject, context: StrategyContext) => readonly FieldError[];
  /** Of `status` alone: the parts of the metadata that `prepareForUpdate` puts back, and that nobody comes to own by it. */
  readonly keptMetadata?: readonly string[];
  /** Where it takes a kind of its own for get, update and patch: how the parent is seen through it (`scale`). */
  readonly view?: SubresourceView;
  /** Where it takes creates: what one does (`binding`, `eviction`). */
  readonly create?: SubresourceCreate;
}

/**
 * A parent as seen through another kind. The registry does the rest: identity and managers in the view's metadata, its schema
 * and defaults, preconditions, conflicts, dry runs.
 */
export interface SubresourceView {
  /** Everything of the view but kind, apiVersion and metadata. Changes nothing. */
  readonly read: (parent: JsonObject) => JsonObject;
  /** Puts what the view may change into the parent, in place. */
  readonly write: (view: JsonObject, parent: JsonObject) => void;
  /** The field, by its steps, that stands at the same place in both: whoever manages it in the parent manages it in the view. */
  readonly field: readonly string[];
  /** What a read says is missing where there is no parent; the sub-resource itself by default. */
  readonly missing?: StatusSubject;
}

/**
 * Does what a create of a sub-resource asks for and answers the object of the answer. `object` is decoded and has defaults; its
 * name and namespace are those of the URL. Changes through `objects` are what the server itself does: nothing is admitted or
 * validated again, and in a dry run nothing is written. Throws `StatusError`.
 */
export type SubresourceCreate = (
  object: JsonObject,
  objects: ObjectsOf,
  context: StrategyContext & { readonly name: string; readonly dryRun: boolean },
) => Promise<JsonObject>;

/**
 * Turns an object of one version into another; both are whole documents with kind and apiVersion, which the caller puts
 * right. Never mutates. Some versions keep in an annotation what they have no field for, hence the identifiers.
 */
export type Convert = (object: JsonObject, identifiers: Identifiers) => JsonObject;
