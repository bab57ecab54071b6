import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRawSync } from 'node:zlib';

/**
 * Objects of at least this many bytes are kept compressed. They are few and seldom read, mostly
 * definitions of custom resources.
 */
export const packedFromBytes = 64 * 1024;

/** Large objects are compressed when they have not changed for this time. */
const restMs = 60_000;

/** Objects compressed at a time: as many as Node has threads for it. */
const parallelPacks = 4;

/** Compressed JSON must be at most this part of the original, or it is not worth its inflation. */
const worthwhilePart = 0.5;

/** Bytes that are kept as they are: more than kind and apiVersion take. */
const plainBytes = 512;

/** JSON that is made at each use, from fewer bytes. */
export interface CompactJson {
  /** Length of the JSON in bytes. */
  readonly size: number;
  /** The first 512 bytes of the JSON. */
  readonly beginning: Buffer;
  /** The JSON: a new buffer at each call. */
  json(): Buffer;
}

/** The JSON of a large object, compressed. */
class PackedJson implements CompactJson {
  readonly size: number;
  readonly beginning: Buffer;
  readonly #deflated: Buffer;

  constructor(json: Buffer, deflated: Buffer) {
    this.size = json.length;
    this.beginning = beginningOf(json);
    this.#deflated = deflated;
  }

  json(): Buffer {
    // One more byte than needed, so that zlib does not ask for a second buffer.
    return inflateRawSync(this.#deflated, { chunkSize: this.size + 1 });
  }
}

/** JSON that a function computes; `json` is the first result. */
export function computedJson(json: Buffer, compute: () => Buffer): CompactJson {
  return { size: json.length, beginning: beginningOf(json), json: compute };
}

const deflate = promisify(deflateRaw);

/**
 * Compresses JSON in another thread; undefined if that gains too little. The JSON must not change
 * meanwhile.
 */
export async function packJson(json: Buffer): Promise<CompactJson | undefined> {
  const deflated = await deflate(json, { level: constants.Z_BEST_SPEED });
  if (deflated.length > json.length * worthwhilePart) return undefined;
  // zlib's buffer is as large as its chunks.
  return new PackedJson(json, aloneOf(deflated));
}

function beginningOf(json: Buffer): Buffer {
  return aloneOf(json.subarray(0, plainBytes));
}

/** Copies bytes to a buffer of their own. */
function aloneOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** The part of an object of the cache that its compression uses. */
interface LargeObject {
  readonly size: number;
  pack(): Promise<void>;
}

/** The large objects of a resource that are not compressed yet. */
export class LargeObjects {
  /** By key, oldest change first. Only present versions: an object may change very often. */
  readonly #waiting = new Map<string, { readonly object: LargeObject; readonly sinceMs: number }>();
  #isPacking = false;

  /**
   * Takes the object that a key has since `sinceMs`; undefined if it was deleted. -Infinity if it
   * is compressed by the next call of `pack`.
   */
  changed(key: string, object: LargeObject | undefined, sinceMs: number): void {
    if (this.#waiting.size > 0) this.#waiting.delete(key);
    if (object && object.size >= packedFromBytes) this.#waiting.set(key, { object, sinceMs });
  }

  /** Compresses the objects that have rested, in other threads. */
  async pack(nowMs: number): Promise<void> {
    if (this.#isPacking || this.#waiting.size === 0) return;
    this.#isPacking = true;
    const rested = this.#rested(nowMs);
    const work = async (): Promise<void> => {
      // An object that cannot be compressed, for want of memory, stays as it is.
      for (const object of rested) await object.pack().catch(() => undefined);
    };
    await Promise.all(Array.from({ length: parallelPacks }, work));
    this.#isPacking = false;
  }

  *#rested(nowMs: number): Generator<LargeObject, void, undefined> {
    for (const [key, { object, sinceMs }] of this.#waiting) {
      if (nowMs - sinceMs < restMs) return;
      this.#waiting.delete(key);
      yield object;
    }
  }
}
