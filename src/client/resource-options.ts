/** Options of every call. */
export interface CallOptions {
  /**
   * The namespace of a namespaced resource. Calls that name an object default to the client's own.
   */
  readonly namespace?: string;
  readonly signal?: AbortSignal;
}

/** Selectors for a collection. */
export interface SelectOptions extends CallOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Options of a read. `Subresource` names a sub-resource, which gives the result its type. */
export interface GetOptions<Subresource extends string = string> extends CallOptions {
  readonly resourceVersion?: string;
  readonly subresource?: Subresource;
}

/** Options of a list. Without `namespace` all namespaces are listed. */
export interface ListOptions extends SelectOptions {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly limit?: number;
  readonly continue?: string;
  /** Called for each warning of the server, for example about objects missing from the list. */
  readonly onWarning?: (text: string) => void;
}

/** Options of a watch. */
export interface WatchOptions extends SelectOptions {
  /**
   * Returns changes after this version; if undefined, the watch begins with the present state as
   * ADDED events.
   */
  readonly resourceVersion?: string;
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  /** Ends the watch when nothing arrives for this time, because its peer may be gone. */
  readonly idleTimeoutMs?: number;
}

/** Options of create, update and patch. */
export interface WriteOptions<Subresource extends string = string> extends CallOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  readonly subresource?: Subresource;
}

/** Media types of the patch types. */
export const patchTypes = Object.freeze({
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
});

/** Options of a patch. */
export interface PatchOptions<Subresource extends string = string> extends WriteOptions<Subresource> {
  readonly type: keyof typeof patchTypes;
  /** Apply only: takes fields from other managers. */
  readonly force?: boolean;
}

/** Options of server-side apply. */
export interface ApplyOptions<Subresource extends string = string> extends WriteOptions<Subresource> {
  /** The owner of the applied fields. */
  readonly fieldManager: string;
  /** Takes fields from other managers, which is a conflict otherwise. */
  readonly force?: boolean;
}

/** Options of a delete. */
export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}
