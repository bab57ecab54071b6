import type { JsonObject } from '../meta/json-value.ts';

/**
 * An object as the cache holds it: the JSON of its storage version, made once when it was written, with the
 * resourceVersion put in once when it entered the cache (invariant 1). Immutable; shared by every reader.
 */
export interface CachedObject {
  readonly key: string;
  /** '' for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** The whole document: `{"kind":...,"apiVersion":...,"metadata":{...`. Made anew at each call while the bytes lie in a slab. */
  readonly json: Buffer;
  /** Bytes of `json`. */
  readonly size: number;
  /** The document in two parts that need no copy, while its bytes are beside those of its neighbours. */
  readonly inPlace: DocumentParts | undefined;
  /** Where `"metadata"` begins in `json`. A list item without kind and apiVersion is `{` and `json` from here. */
  readonly itemStart: number;
  /** Labels and selectable fields, computed once on first use. */
  index(): ObjectIndex;
  /** A fresh decoded copy in the storage version, which the caller may change. Not memoized. */
  decode(): JsonObject;
  /** Bytes in other versions and media types, made once per key by whoever needs them first. */
  readonly encodings: Map<string, Buffer>;
}

/** A document in two parts. */
export interface DocumentParts {
  /** The beginning, one character a byte. */
  readonly front: string;
  readonly rest: Buffer;
}

/** What selectors look at. */
export interface ObjectIndex {
  readonly labels: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, string>;
}
