/**
 * Longer than any object in the server. A longer line means a broken peer, and must not fill the
 * memory.
 */
const lineLimitBytes = 32 * 1024 * 1024;

const newline = 0x0a;

/**
 * Splits a byte stream into lines without their line ends. An unterminated last line is dropped,
 * because it is incomplete.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  let parts: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      const piece = bytes.subarray(start, end);
      yield parts.length > 0 ? Buffer.concat([...parts, piece]) : piece;
      parts = [];
      held = 0;
      start = end + 1;
    }
    if (start === bytes.length) continue;
    parts.push(bytes.subarray(start));
    held += bytes.length - start;
    if (held > lineLimitBytes) throw new RangeError(`a line is longer than ${lineLimitBytes} bytes`);
  }
}
