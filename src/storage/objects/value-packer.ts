import type { StoredValue } from '../port/object-store.ts';
import { StorageError } from '../port/storage-error.ts';
import { packedFromBytes, type PackedJson, packJson } from './packed-json.ts';
import { copyDocumentFrom, type RevisionInsertion, revisionInsertion } from './revision-insertion.ts';

/** Documents compressed at a time: as many as Node has threads for it. */
const parallelPacks = 4;

/** A large value, and where its document is in the scratch buffer. */
interface LargeValue {
  readonly stored: StoredValue;
  readonly insertion: RevisionInsertion;
  readonly at: number;
}

/**
 * Compresses the large values of the pages of a list before they enter the cache, in other threads.
 * One buffer serves all pages, so that the documents themselves are never allocated.
 */
export class ValuePacker {
  #scratch: Buffer = Buffer.alloc(0);

  /**
   * The compressed documents of the large values of a page; undefined if there are none. A page
   * must be packed before the next one.
   */
  pack(values: readonly StoredValue[]): Promise<ReadonlyMap<StoredValue, PackedJson>> | undefined {
    const large: LargeValue[] = [];
    let length = 0;
    for (const stored of values) {
      const insertion = stored.value.length < packedFromBytes ? undefined : insertionOrNone(stored);
      if (!insertion) continue;
      large.push({ stored, insertion, at: length });
      length += insertion.length;
    }
    if (large.length === 0) return undefined;
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafeSlow(length);
    return packAll(large, this.#scratch);
  }
}

async function packAll(large: readonly LargeValue[], scratch: Buffer): Promise<ReadonlyMap<StoredValue, PackedJson>> {
  const packed = new Map<StoredValue, PackedJson>();
  const queue = large.values();
  const work = async (): Promise<void> => {
    for (const { stored, insertion, at } of queue) {
      copyDocumentFrom(insertion, 0, scratch, at);
      const json = await packJson(scratch.subarray(at, at + insertion.length), insertion.metadataOffset);
      if (json) packed.set(stored, json);
    }
  };
  await Promise.all(Array.from({ length: parallelPacks }, work));
  return packed;
}

/** Undefined for a value that cannot be read; the reader of the cache reports it. */
function insertionOrNone(stored: StoredValue): RevisionInsertion | undefined {
  try {
    return revisionInsertion(stored);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'Corrupt') return undefined;
    throw error;
  }
}
