import type { EncodingCache } from '../codec/document.ts';
import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import type { ResourceDefinition } from './resource-definition.ts';
import type { ObjectFilter, ReadAt, SelectionTerms, WatchStart } from '../storage/resource-cache.ts';
import type { DocumentParts } from '../storage/cached-object.ts';
import type { ListLayout } from '../storage/list-layout.ts';
import type { DeleteOptions } from './delete-options.ts';
import type { StrategyContext } from './strategy-context.ts';

export type { DeleteOptions } from './delete-options.ts';

/**
 * The verbs of one resource over its store: what the HTTP layer calls. Nothing here knows HTTP, and nothing names a
 * kind. Objects come in and go out in the version of the scope; that a body is of the right kind has been checked where it
 * was read. Every method throws `StatusError` alone.
 */
export interface ResourceRegistry {
  readonly info: ResourceDefinition;
  /** The fields that field selectors may name, with the names that objects give them. */
  readonly selectableFields: ReadonlyMap<string, string>;
  get(scope: RequestScope, at: ReadAt): Promise<VersionedObject>;
  /** What `get` would answer, where that is known without waiting. */
  peek(scope: RequestScope, at: ReadAt): VersionedObject | undefined;
  list(scope: RequestScope, query: ListQuery): Promise<VersionedList>;
  /**
   * The first batch, often empty, says that the watch has begun. Throws 410 before it or later; the caller turns a later one
   * into an ERROR event.
   */
  watch(scope: RequestScope, query: WatchQuery): AsyncIterable<readonly VersionedEvent[]>;
  create(scope: RequestScope, object: JsonObject, options: WriteOptions): Promise<VersionedObject>;
  update(scope: RequestScope, object: JsonObject, options: WriteOptions): Promise<WriteAnswer>;
  patch(scope: RequestScope, patch: PatchRequest, options: WriteOptions): Promise<WriteAnswer>;
  delete(scope: RequestScope, options: DeleteOptions): Promise<DeleteAnswer>;
  /** Deletes what the query selects, in pages; answers the objects as they were. More than a page of them is not kept in memory. */
  deleteCollection(scope: RequestScope, query: ListQuery, options: DeleteOptions): Promise<VersionedList | PagedList>;
}

/** What a request is about. `name` is '' for collections, `subresource` '' for the resource itself. */
export interface RequestScope extends StrategyContext {
  readonly name: string;
  /** The namespace in the URL, also where the resource is outside namespaces: a Namespace is in itself. */
  readonly urlNamespace?: string;
  readonly subresource: string;
  readonly cancellation: Cancellation;
}

/** Where the signal comes from that ends work nobody waits for any more. Asking makes the signal: most reads never do. */
export interface Cancellation {
  readonly signal: AbortSignal;
}

/** Options of create, update and patch, already checked. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Never empty: defaults from the user agent. */
  readonly fieldManager: string;
  /** Apply only. */
  readonly force: boolean;
  readonly fieldValidation: FieldValidation;
  /** `fieldManager` and `fieldValidation` where the client sent them, for admission to show. */
  readonly sent?: JsonObject;
  /** Paths that stood twice in the body of a create or an update, as `decodeJson` finds them; reported with the unknown ones. */
  readonly duplicateFields?: readonly string[];
}

/** What becomes of unknown and duplicate fields. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The patch types, by what they do rather than by media type. */
export type PatchRequest =
  | { readonly type: 'json'; readonly operations: JsonValue; readonly duplicateFields: readonly string[] }
  | DocumentPatch<'merge' | 'strategic'>
  | DocumentPatch<'apply'>;

/** A patch that has the shape of what it patches. */
interface DocumentPatch<Type extends string> {
  readonly type: Type;
  readonly document: JsonValue;
  /** Paths that stood twice in the document. */
  readonly duplicateFields: readonly string[];
}

/** A collection read. `selected` is undefined without selectors; `fieldName` is the name that a field selector asks for. */
export interface ListQuery {
  readonly filter?: ObjectFilter;
  readonly terms?: SelectionTerms;
  readonly fieldName?: string;
  readonly at: ReadAt;
  readonly limit: number;
  /** The opaque token of an earlier page, as the client sent it. */
  readonly continueToken?: string;
}

/** A watch. */
export interface WatchQuery {
  readonly filter?: ObjectFilter;
  readonly fieldName?: string;
  readonly start: WatchStart;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
}

/** An object's JSON in the requested version. A list item is `{` and `json` from `itemStart`, or all of it where that is 0. */
export interface VersionedObject {
  /** May be made at each call: see `size` and `inPlace`. */
  readonly json: Buffer;
  readonly itemStart: number;
  /** Bytes of `json`, where they are known without it. */
  readonly size?: number;
  /** The same document where it needs no copy. */
  readonly inPlace?: DocumentParts | undefined;
  /** The same document in other formats, kept as long as the object is; absent for one in no cache. */
  readonly encodings?: EncodingCache;
}

/** `continueToken` is '' where the list is complete; `remaining` undefined where it is not told. */
export interface VersionedList {
  readonly revision: number;
  readonly items: readonly VersionedObject[];
  readonly continueToken: string;
  readonly remaining: number | undefined;
  /** The items as bytes, as a list in plain JSON has them. */
  readonly layOut: () => ListLayout;
}

/**
 * A list that may be longer than memory: its pages are read as they are sent. A page that the store has forgotten meanwhile is
 * an error.
 */
export interface PagedList extends Omit<VersionedList, 'items' | 'layOut'> {
  readonly pages: AsyncIterable<readonly VersionedObject[]>;
}

/** A watch event; a bookmark's object is made by the HTTP layer from `revision`. */
export type VersionedEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: VersionedObject }
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean };

/** `created` decides between 201 and 200. */
export interface WriteAnswer {
  readonly created: boolean;
  readonly object: VersionedObject;
}

/**
 * A delete that removes the object at once answers its uid for the Status; one that leaves it finalizing, the object.
 * `asObject` is set for the few kinds whose removal is answered with the object too.
 */
export type DeleteAnswer =
  | { readonly deleted: true; readonly uid: string; readonly object: VersionedObject; readonly asObject: boolean }
  | { readonly deleted: false; readonly object: VersionedObject };

/** The registries of one server. */
export interface Registries {
  /** Undefined for a resource that is not stored. Made when it is first asked for; the same for the same definition. */
  of(definition: ResourceDefinition): ResourceRegistry | undefined;
  /** That of a resource which is served now. `group` is the full name, '' for the core. */
  forResource(group: string, resource: string): ResourceRegistry | undefined;
}
