import { largeBytes } from '../../memory/large-buffer.ts';
import { SharedBuffers } from '../../memory/shared-buffers.ts';

/**
 * Buffers for the bytes of the replaced objects of one resource. Their history ends with the oldest
 * first, so that they share large buffers, unless they are few. Objects that may stay for long must
 * not be in them.
 */
export class HistoryBytes {
  #shared = new SharedBuffers();
  /** Bytes taken since the last `clear`. */
  #taken = 0;

  /** Returns a buffer, whose content is undefined. */
  take(length: number): Buffer {
    this.#taken += length;
    return this.#taken <= largeBytes ? Buffer.allocUnsafeSlow(length) : this.#shared.take(length);
  }

  /** Lets go of the buffer that is being filled: the history is empty. */
  clear(): void {
    if (this.#taken > 0) this.#shared = new SharedBuffers();
    this.#taken = 0;
  }
}
