import type { ValidateRules } from '../../scheme/model/schema.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ApiRelease } from '../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../scheme/emulated-release.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { FieldError } from '../../status/field-error.ts';
import type { StatusSubject } from '../../status/status-error.ts';
import type { InternalClients } from './internal-client.ts';
import type { UserInfo } from '../../meta/user-info.ts';

/**
 * The behaviour of a kind that differs from the generic registry; everything is optional. Objects
 * are in the storage version, with defaults applied: T is the generated type of the kind. `prepare`
 * and `default` hooks may mutate `object` but never `old`; `validate` hooks mutate nothing and
 * return all errors.
 */
export interface Strategy<T = JsonObject> {
  /**
   * Validates names; the default is a DNS-1123 subdomain. Returns messages, none if the name is
   * valid.
   */
  readonly validateName?: (name: string, prefix: boolean) => readonly string[];
  /**
   * Validates the name of a new object, or the base of a generated one, against its other fields.
   * Its messages follow the messages of `validateName`.
   */
  readonly validateNewName?: (name: string, object: T) => readonly string[];
  /**
   * If true, a new object without a name gets a UUID as its name; `generateName` is ignored.
   * Default false.
   */
  readonly randomNames?: boolean;
  /**
   * Defaults that depend on other fields. Applied after the defaults of the schema, on all writes
   * except to the status.
   */
  readonly default?: (object: T, context: StrategyContext) => void;
  /**
   * The path to the part that holds most of an object's values, such as a pod template. No hook
   * may change that part after defaulting, and its validity may depend on nothing outside it.
   * Writes that leave it unchanged do not decode or validate it again.
   */
  readonly templatePath?: readonly string[];
  /**
   * Runs before the first write, after the mutating admission plugins: resets fields that the
   * client may not set, and sets those that follow from others. The registry resets the status if
   * it is a sub-resource.
   */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void;
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void;
  /**
   * Validates the new state. An error replaces the errors of the schema for the same field, and
   * inside a part that it forbids. `old` is set on updates, for rules that only apply to newly set
   * values.
   */
  readonly validate?: (object: T, context: StrategyContext, old?: T) => readonly FieldError[];
  /**
   * Runs after `validate` on creates: rules that existing objects may break, or that load a
   * library.
   */
  readonly validateCreate?: (
    object: T,
    context: StrategyContext,
  ) => readonly FieldError[] | Promise<readonly FieldError[]>;
  /** Rules that take long, after all others. Custom kinds have them in their schemas. */
  readonly validateRules?: ValidateRules;
  /** Validates immutable fields. Its errors come after all others. */
  readonly validateUpdate?: (object: T, old: T, context: StrategyContext) => readonly FieldError[];
  /**
   * If true, any well-formed finalizer may omit the domain, not only the standard ones. Default
   * false.
   */
  readonly plainFinalizers?: boolean;
  /**
   * If true, a create keeps the status of the body although status is a sub-resource (nodes).
   * Default false.
   */
  readonly statusOnCreate?: boolean;
  /** If true, a PUT of a missing object creates it. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** If true, a PUT without resourceVersion is unconditional. Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /**
   * The fields that a write cannot set, by sub-resource ('' is the object), as path elements of
   * field sets. The writer does not own them. By default a write of the status resets all other
   * fields, and a write of the object resets the status.
   */
  readonly resetFields?: (emulated: EmulatedRelease) => Readonly<Record<string, readonly (readonly string[])[]>>;
  /** False if `generateName` is not validated itself, only the generated name. Default true. */
  readonly checksNameBase?: boolean;
  /** Selectable fields besides the ones that every kind has; `fieldsOf` must return all of them. */
  readonly selectableFields?: readonly string[];
  /**
   * All selectable fields of the kind in a group with other field names, mapped to the names here;
   * by short group.
   */
  readonly fieldAliases?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly fieldsOf?: (object: T) => Readonly<Record<string, string>>;
  /**
   * Controls `metadata.generation`: true increments it on changes outside metadata and status,
   * 'changes' does so from an unset one, 'fixed' keeps it at 1, false leaves it unset. Default:
   * true if there is a status sub-resource.
   */
  readonly generation?: boolean | 'changes' | 'fixed';
  /**
   * Returns true if a write of the object increments the generation although only metadata or
   * status change.
   */
  readonly raisesGeneration?: (object: T, old: T) => boolean;
  /** The warning about a delete without a propagation policy, and its first release. */
  readonly warnsOfDependents?: { readonly since: string; readonly text: string };
  /** Default grace period of a delete, in seconds; undefined deletes immediately. For pods only. */
  readonly defaultGracePeriodSeconds?: (object: T) => number | undefined;
  /**
   * Returns true if an object being deleted is held by more than its finalizers (a namespace by
   * `spec.finalizers`). Such an object has no grace period; the write that removes the last hold
   * deletes it.
   */
  readonly holdsDeletion?: (object: T) => boolean;
  /**
   * The handling of a deleted object's dependents if neither the request nor the object names a
   * policy, by the version of the request: the garbage collector deletes them (default) or orphans
   * them. 'none': the kind has no dependents and ignores policies.
   */
  readonly dependents?: (version: string) => 'collect' | 'orphan' | 'none';
  /**
   * The reason for which an object must not be deleted by name (system classes); undefined if it
   * may.
   */
  readonly refuseDelete?: (object: T) => string | undefined;
  /**
   * Changes an object whose deletion starts but waits for finalizers (the phase of a namespace).
   */
  readonly prepareForDelete?: (object: T, context: StrategyContext) => void;
  /**
   * If true, a delete that removes the object returns the object and not a Status (pods, services,
   * ...). A release: true since that release. Default false.
   */
  readonly returnsDeletedObject?: boolean | ApiRelease;
  /**
   * If true, the store removes objects some time after their last write; a server option sets the
   * time. For events only. Default false.
   */
  readonly expires?: boolean;
  /** Overrides for writes to sub-resources, by name. */
  readonly subresources?: Readonly<Record<string, SubresourceStrategy<T>>>;
}

/**
 * The behaviour of a sub-resource. If it uses the parent's kind (`status`, `approval`,
 * `finalize`) it has at most the two update hooks. Objects in the hooks are the parent's, even if
 * the sub-resource uses another kind.
 */
export interface SubresourceStrategy<T = JsonObject> {
  /**
   * The defaults that depend on other fields; for `status` only. May mutate status and metadata.
   */
  readonly default?: (object: T, context: StrategyContext) => void;
  /**
   * Restores the fields that this sub-resource may not change. For `status` the registry restores
   * everything except metadata and status.
   */
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void;
  readonly validateUpdate?: (object: T, old: T, context: StrategyContext) => readonly FieldError[];
  /**
   * The fields of the metadata that `prepareForUpdate` restores; for `status` only. A status write
   * gives nobody ownership of them.
   */
  readonly keptMetadata?: readonly string[];
  /**
   * For a sub-resource with its own kind for get, update and patch: maps the parent to that kind
   * (`scale`).
   */
  readonly view?: SubresourceView<T>;
  /**
   * For a sub-resource that supports create: carries out the action (`binding`, `eviction`). One
   * that depends on the server is given to its registries (`creates`).
   */
  readonly create?: SubresourceCreate<never>;
  /**
   * If true, the body of a create may omit the name of the parent; `create` checks a given one, and
   * messages about invalid bodies show none. Default false.
   */
  readonly optionalName?: boolean;
}

/**
 * Presents a parent as another kind. The registry adds identity and managers to the view's
 * metadata and handles schema, defaults, preconditions, conflicts and dry runs.
 */
export interface SubresourceView<T = JsonObject> {
  /** Returns the view without kind, apiVersion and metadata. Does not mutate the parent. */
  readonly read: (parent: T) => JsonObject;
  /** Copies the writable fields of the view into the parent, in place. */
  readonly write: (view: JsonObject, parent: T) => void;
  /**
   * Path of the field that parent and view have in common; its managers in the parent are its
   * managers in the view.
   */
  readonly field: readonly string[];
  /**
   * True if only the parent's rules check the values of the view, under the names of its fields.
   * Its metadata may lack the namespace.
   */
  readonly checkedAsParent?: true;
  /** The subject of NotFound if a read finds no parent; the default is the sub-resource. */
  readonly missing?: StatusSubject;
  /** The rules of a view that some objects do not have; absent: every object has the view. */
  readonly absence?: {
    /** Throws if a get cannot show the object. */
    readonly checkFound: (parent: T) => void;
    /** Returns the view that a write starts from, which may differ from the view of a read. */
    readonly begin: (parent: T) => JsonObject;
    /** Throws if a written view still has the value that marks absence in `begin`. */
    readonly checkSent: (view: JsonObject) => void;
  };
}

/** The context of the create of a sub-resource. */
interface SubresourceContext extends StrategyContext {
  readonly name: string;
  readonly dryRun: boolean;
  /** Adds a fact to the audit record of the request. */
  annotate(name: string, value: string): void;
}

/**
 * Carries out the create of a sub-resource and returns the response object. `object` is decoded,
 * with defaults; its name and namespace come from the URL. Changes through `objects` pass no
 * admission and no validation, and a dry run writes nothing. Throws `StatusError`. T is the
 * generated type of the sub-resource's kind.
 */
export type SubresourceCreate<T = JsonObject> = (
  object: T,
  objects: InternalClients,
  context: SubresourceContext,
) => Promise<JsonObject>;

/**
 * Converts an object to another version. Both are whole documents with kind and apiVersion, which
 * the caller sets afterwards. Must not mutate. Gets the identifiers because some versions keep
 * fields without counterpart in an annotation.
 */
export type Convert<From = JsonObject, To = JsonObject> = (object: From, identifiers: Identifiers) => To;

/** The part of the request that the hooks of a strategy see. */
export interface StrategyContext {
  readonly identifiers: Identifiers;
  readonly user: UserInfo;
  readonly namespace: string;
  /** Group of the request's URL, '' for the core group. Events are served by two groups. */
  readonly group: string;
  /**
   * Version of the request's URL, for rules that differ between versions (certificates v1 and
   * v1beta1).
   */
  readonly version: string;
  /** The emulated release, whose rules apply, with its feature gates. */
  readonly emulated: EmulatedRelease;
  /** Adds a `Warning: 299` header to the response. */
  warn(text: string): void;
}
