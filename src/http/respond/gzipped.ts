import { createGzip } from 'node:zlib';
import { drained } from './drained.ts';

/** The fastest level. On API objects it already reaches most of what the others do. */
export const gzipLevel = 1;

/** Compresses off the main thread, one chunk at a time. */
export async function* gzipped(chunks: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gzip = createGzip({ level: gzipLevel });
  try {
    const feed = async (): Promise<void> => {
      for await (const chunk of chunks) {
        if (!gzip.write(chunk)) await drained(gzip);
      }
      gzip.end();
    };
    const fed = feed();
    // A failure to feed shows as an error of the stream that is read here.
    fed.catch((error: unknown) => gzip.destroy(error instanceof Error ? error : new Error(String(error))));
    for await (const chunk of gzip) yield chunk;
    await fed;
  } finally {
    gzip.destroy();
  }
}
