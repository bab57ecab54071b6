import type { EncodingCache } from '../../codec/document.ts';
import type { JsonObject } from '../../meta/json-value.ts';

/**
 * An object in the cache: the JSON of its storage version, encoded once when it was written, with
 * the resourceVersion inserted once when it entered the cache (docs/architecture.md, invariant 1).
 * Immutable and shared by all readers.
 */
export interface CachedObject {
  readonly key: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** True once the cache has seen that its key has a later state or none. */
  readonly isReplaced: boolean;
  /** True if the store should be written even if the object does not change; see `StoredValue`. */
  readonly outdated: boolean;
  /**
   * The whole document: `{"kind":...,"apiVersion":...,"metadata":{...`. Copied at each call while
   * the bytes are in a slab, and inflated while they are compressed.
   */
  readonly json: Buffer;
  /** Length of `json` in bytes. */
  readonly size: number;
  /** The document in two parts without a copy; only while its bytes are in a slab. */
  readonly inPlace: DocumentParts | undefined;
  /**
   * A list item is `{` and the rest of `json` from here: from `"metadata"`, or from the beginning
   * if items have kind and apiVersion.
   */
  readonly itemStart: number;
  /** Offset of `"metadata"` in `json`. */
  readonly metadataStart: number;
  /** Reports whether `json` begins with a text, which is not longer than what precedes metadata. */
  beginsWith(text: Buffer): boolean;
  /** Labels and selectable fields, computed on first use. */
  index(): ObjectIndex;
  /** Decodes the storage version. Returns a new copy at each call, which the caller may change. */
  decode(): JsonObject;
  /**
   * The result of `decode`, while it is kept (`RecentObjects`). Shared: nobody may change it.
   */
  readonly value: JsonObject | undefined;
  /** Sets or drops `value`. */
  keepValue(value: JsonObject | undefined): void;
  /**
   * Keeps the bytes out of the buffers that replaced objects share. For holders that may keep the
   * object longer than the history does: they would keep the bytes of many others.
   */
  keepApart(): void;
  /** The same state with the revision of a later event. */
  withRevision(revision: number): CachedObject;
  /** Bytes in other versions and media types, by key; each is added by its first reader. */
  readonly encodings: EncodingCache;
}

/** A document split into two parts. */
export interface DocumentParts {
  /** The beginning, as latin1: one character for each byte. */
  readonly front: string;
  readonly rest: Buffer;
}

/** The labels and fields that selectors match. */
export interface ObjectIndex {
  readonly labels: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * The cached state of a key, perhaps stale; `object` is undefined if the key did not exist. It is
 * known to be a state of the store's history in the store's `session` (`GetResult.session`).
 */
export interface Suggestion {
  readonly object: CachedObject | undefined;
  readonly session?: string | undefined;
}
