import type { AdmissionAttributes } from '../../admission/admission.ts';
import type { Trace, AnnotationLevel, StepLog } from '../../meta/trace.ts';
import type { EncodingCache } from '../../codec/document.ts';
import type { MetadataPlace } from '../../codec/metadata-place.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { ObjectFilter, ReadAt, SelectionTerms, WatchStart } from '../../storage/cache/resource-cache.ts';
import type { JoinedItems } from '../../storage/objects/list-bytes-cache.ts';
import type { ItemsJson } from '../../storage/objects/items-json.ts';
import type { StatusError } from '../../status/status-error.ts';
import type { DeleteOptions } from './delete-options.ts';
import type { StrategyContext } from './strategy.ts';

export type { DeleteOptions } from './delete-options.ts';

/**
 * The verbs of one resource, as called by the HTTP layer. It knows neither HTTP nor kinds.
 * Objects go in and out in the version of the scope; the decoder of the body has checked their
 * kind. All methods throw only `StatusError`.
 */
export interface ResourceRegistry {
  readonly info: ResourceDefinition;
  /**
   * The fields that field selectors of a version may name, mapped to the names that objects give
   * them.
   */
  selectableFields(version: string): ReadonlyMap<string, string>;
  get(scope: RequestScope, at: ReadAt): Promise<VersionedObject>;
  /** The result of `get` if it is available synchronously. */
  peek(scope: RequestScope, at: ReadAt): VersionedObject | undefined;
  list(scope: RequestScope, query: ListQuery): Promise<VersionedList>;
  /**
   * Watches a collection. The first batch, often empty, means that the watch has started. Throws
   * 410 before or after it; the caller turns a later one into an ERROR event.
   */
  watch(scope: RequestScope, query: WatchQuery): AsyncIterable<readonly VersionedEvent[]>;
  create(scope: RequestScope, object: JsonObject, options: WriteOptions): Promise<VersionedObject>;
  /** Decodes, completes and validates an object that is not stored. Throws as `create` does. */
  complete(scope: RequestScope, object: JsonObject, options: WriteOptions): Promise<JsonObject>;
  update(scope: RequestScope, object: JsonObject, options: WriteOptions): Promise<WriteResult>;
  /**
   * Changes values of an object that the server counts, without most of the steps of an update.
   * Undefined if the write needs an update. See `change-own-values`.
   */
  changeOwnValues(scope: RequestScope, change: OwnValuesChange, options: WriteOptions): Promise<JsonObject | undefined>;
  patch(scope: RequestScope, patch: PatchRequest, options: WriteOptions): Promise<WriteResult>;
  delete(scope: RequestScope, options: DeleteOptions): Promise<DeleteResult>;
  /**
   * Deletes the selected objects in pages and returns them as they were. At most one page is kept
   * in memory. Throws 500 if objects remain that cannot be read.
   */
  deleteCollection(scope: RequestScope, query: ListQuery, options: DeleteOptions): Promise<VersionedList | PagedList>;
}

/** A change of values in an object; both objects are in the storage version. */
export interface OwnValuesChange {
  /** The object as it was read or written last, with its resourceVersion. */
  readonly old: JsonObject;
  /** The same object with other, valid values at `paths`. */
  readonly object: JsonObject;
  /** The changed paths in the format of FieldsV1. */
  readonly paths: readonly (readonly string[])[];
}

/**
 * The target of a request. `name` is '' for collections, `subresource` '' for the resource
 * itself.
 */
export interface RequestScope extends StrategyContext {
  readonly name: string;
  /** The namespace in the URL, even if the resource is cluster-scoped: a Namespace is in itself. */
  readonly urlNamespace?: string;
  readonly subresource: string;
  /** The authorization verb of the request; absent for writes of the server itself. */
  readonly verb?: string;
  /** The resource in the URL if admission sees the write as one of it, without sub-resource. */
  readonly urlResource?: string;
  readonly cancellation: Cancellation;
  /**
   * Takes the decoded object of a create or update for the audit record, and a function that
   * returns a copy with its default values; absent if the request is not recorded.
   */
  readonly recordObject?: (object: JsonObject, complete: () => JsonObject) => void;
  /** Receives the time that the request waited for webhooks. */
  readonly waited?: AdmissionAttributes['waited'];
  /** Takes the steps of admission; absent if the trace of the request is not asked for. */
  readonly trace?: Trace;
  /** Receives the steps of the request; absent for writes of the server itself. */
  readonly steps?: StepLog;
  /** Adds a fact to the audit record of the request, from an audit level on. */
  annotate(name: string, value: string, level?: AnnotationLevel): void;
}

/**
 * The source of the signal that aborts work of a closed request. The signal is created on first
 * access, because most reads never need one.
 */
interface Cancellation {
  readonly signal: AbortSignal;
}

/** Validated options of create, update and patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Never empty; the default is taken from the user agent. */
  readonly fieldManager: string;
  /** True to take fields from other managers; for apply only. */
  readonly force: boolean;
  readonly fieldValidation: FieldValidation;
  /** Keeps a status although it is a sub-resource; for the server's own creates. */
  readonly keepStatus?: true;
  /**
   * `fieldManager` and `fieldValidation` if the client sent them; part of the options that
   * admission shows.
   */
  readonly sent?: JsonObject;
  /**
   * Paths of duplicate fields in the body of a create or update, from `decodeJson`; reported with
   * the unknown fields.
   */
  readonly duplicateFields?: readonly string[];
}

/** The handling of unknown and duplicate fields. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The patch types, independent of their media types. */
export type PatchRequest =
  | { readonly type: 'json'; readonly operations: JsonValue; readonly duplicateFields: readonly string[] }
  | DocumentPatch<'merge' | 'strategic'>
  | DocumentPatch<'apply'>;

/** A patch that has the shape of the patched object. */
interface DocumentPatch<Type extends string> {
  readonly type: Type;
  readonly document: JsonValue;
  /** Paths of duplicate fields in the document. */
  readonly duplicateFields: readonly string[];
  /** The duplicate keys of an applied configuration in YAML, with their lines. */
  readonly duplicateKeys?: readonly string[];
}

/**
 * A collection read. `filter` is undefined without selectors; `fieldName` is the name that a
 * field selector asks for.
 */
export interface ListQuery {
  readonly filter?: ObjectFilter;
  readonly terms?: SelectionTerms;
  readonly fieldName?: string;
  readonly at: ReadAt;
  readonly limit: number;
  /** The opaque token of the previous page, as sent by the client. */
  readonly continueToken?: string;
}

/** The options of a watch. */
export interface WatchQuery {
  readonly filter?: ObjectFilter;
  readonly fieldName?: string;
  readonly start: WatchStart;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
}

/** An object's JSON in the requested version. */
export interface VersionedObject {
  /** May be created on each access; see `size`. */
  readonly json: Buffer;
  /** Length of `json` in bytes, if known without creating it; about it for a converted object. */
  readonly size?: number;
  /** The document as a value, if it exists without decoding `json`. Must not be changed. */
  readonly value?: JsonObject | undefined;
  /**
   * Encodings of the document in other formats, cached with the object; absent if the object is
   * in no cache.
   */
  readonly encodings?: EncodingCache;
  /** Finds metadata in `json`, once for all readers; absent for an object that is in no cache. */
  metadataPlace?(json: Buffer): MetadataPlace | undefined;
}

/**
 * A list. `continueToken` is '' on the last page; `remaining` is undefined if the count is
 * unknown.
 */
export interface VersionedList {
  readonly revision: number;
  readonly items: readonly VersionedObject[];
  readonly continueToken: string;
  readonly remaining: number | undefined;
  /** The shard selector of the request; undefined without one. */
  readonly shard?: string | undefined;
  /** The items as the bytes of a JSON list; absent if they are not in the storage version. */
  readonly json?: () => ItemsJson;
  /** Joined items in other formats; absent for objects that are in no cache. */
  readonly joined?: JoinedItems | undefined;
  /** Names the objects that the list lacks because they cannot be read; absent: it has all. */
  readonly unreadable?: StatusError | undefined;
}

/**
 * A list that may exceed the memory: its pages are read while they are sent. A page that the
 * store has compacted meanwhile is an error.
 */
export interface PagedList extends Omit<VersionedList, 'items' | 'json' | 'joined' | 'unreadable'> {
  readonly pages: AsyncIterable<readonly VersionedObject[]>;
}

/** A watch event. The HTTP layer makes the object of a bookmark from `revision`. */
export type VersionedEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: VersionedObject }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean };

/** The result of a write; `created` decides between 201 and 200. */
export interface WriteResult {
  readonly created: boolean;
  readonly object: VersionedObject;
}

/**
 * The result of a delete: the uid for the Status if the object was removed, else the object that
 * waits for its finalizers. `asObject` is set for kinds whose removal responds with the object.
 */
export type DeleteResult =
  | { readonly deleted: true; readonly uid: string; readonly object: VersionedObject; readonly asObject: boolean }
  | { readonly deleted: false; readonly object: VersionedObject };

/** The registries of one server. */
export interface Registries {
  /**
   * The registry of a definition; undefined if the resource is not stored. Created on first use.
   */
  of(definition: ResourceDefinition): ResourceRegistry | undefined;
  /**
   * The registry of a resource in the current catalogue. `group` is the full name, '' for the
   * core group.
   */
  forResource(group: string, resource: string): ResourceRegistry | undefined;
}
