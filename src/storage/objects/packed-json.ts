import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRawSync } from 'node:zlib';

/**
 * Objects of at least this many bytes are kept compressed. Smaller ones share slabs, from which
 * lists are sent without a copy; large ones are few and seldom read, mostly definitions of custom
 * resources.
 */
export const packedFromBytes = 64 * 1024;

/** Compressed JSON must be at most this part of the original, or it is not worth its inflation. */
const worthwhilePart = 0.5;

/** The JSON of a large object, compressed. */
export class PackedJson {
  /** The beginning of the document, up to `"metadata"`. */
  readonly front: Buffer;
  readonly #deflated: Buffer;

  constructor(front: Buffer, deflated: Buffer) {
    this.front = front;
    this.#deflated = deflated;
  }

  /** The whole document, of `size` bytes: a new buffer at each call. */
  json(size: number): Buffer {
    // One more byte than needed, so that zlib does not ask for a second buffer.
    return inflateRawSync(this.#deflated, { chunkSize: size + 1 });
  }

  /** Bytes that are kept. */
  get keptBytes(): number {
    return this.#deflated.length + this.front.length;
  }
}

const deflate = promisify(deflateRaw);

/**
 * Compresses a document in another thread; undefined if that gains too little. The document must
 * not change meanwhile. `frontBytes` is the offset of `"metadata"`.
 */
export async function packJson(json: Buffer, frontBytes: number): Promise<PackedJson | undefined> {
  const deflated = await deflate(json, { level: constants.Z_BEST_SPEED });
  if (deflated.length > json.length * worthwhilePart) return undefined;
  return new PackedJson(unpooled(json.subarray(0, frontBytes)), unpooled(deflated));
}

/** A copy in a buffer of its own: zlib's is as large as its chunks, and Node's pool is shared. */
function unpooled(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
