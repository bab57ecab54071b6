import { largeBuffer } from './large-buffer.ts';

/** Bytes of a shared buffer. */
const sharedBytes = 64 * 1024;

/**
 * Small buffers that are ranges of large ones, for bytes that are needed equally long: the memory
 * of a large buffer goes back to the system when the last of its ranges is collected.
 */
export class SharedBuffers {
  #shared: Buffer | undefined;
  /** Bytes in use of the present large buffer. */
  #used = 0;

  /** Returns a buffer, which has pages of its own if it is longer than half of a shared one. */
  take(length: number): Buffer {
    if (length > sharedBytes / 2) return largeBuffer(length);
    if (!this.#shared || this.#used + length > sharedBytes) {
      this.#shared = largeBuffer(sharedBytes);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += length;
    return this.#shared.subarray(start, this.#used);
  }

  /** Returns a copy. */
  copy(bytes: Buffer): Buffer {
    const copy = this.take(bytes.length);
    bytes.copy(copy);
    return copy;
  }
}
