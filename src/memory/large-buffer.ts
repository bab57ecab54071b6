/** From this length on, joined bytes have pages of their own. */
export const largeBytes = 64 * 1024;

/**
 * Returns a zeroed buffer in memory pages of its own, for lengths of many pages. They go back to
 * the system when it is collected.
 *
 * The pages of other buffers often do not: once a buffer of several megabytes was freed, malloc of
 * glibc serves all up to its size from the heap of the process, which it returns from its end
 * alone. Reading and writing single bytes from JavaScript is slower than in other buffers; copies,
 * searches, conversions and writes to sockets are not.
 */
export function largeBuffer(length: number): Buffer {
  // V8 allocates pages for a resizable buffer.
  return Buffer.from(new ArrayBuffer(length, { maxByteLength: length }), 0, length);
}

/** Returns the UTF-8 bytes of a text, in pages of their own if they are many. */
export function bufferOf(text: string): Buffer {
  if (text.length < largeBytes) return Buffer.from(text);
  const bytes = largeBuffer(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Returns the joined bytes of buffers, in pages of their own if they are many. */
export function joinBuffers(buffers: readonly Uint8Array[]): Buffer {
  const length = buffers.reduce((sum, { length: bytes }) => sum + bytes, 0);
  if (length < largeBytes) return Buffer.concat(buffers, length);
  const joined = largeBuffer(length);
  let at = 0;
  for (const buffer of buffers) {
    joined.set(buffer, at);
    at += buffer.length;
  }
  return joined;
}
