import { createGzip } from 'node:zlib';
import { drained } from './drained.ts';

/** The fastest level. For API objects it compresses nearly as well as the other levels. */
export const gzipLevel = 1;

/**
 * Compresses a stream of chunks outside the main thread. Only one chunk is in progress at a time.
 */
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
    // An error of the input becomes an error of the gzip stream that is read below.
    fed.catch((error: unknown) => gzip.destroy(error instanceof Error ? error : new Error(String(error))));
    for await (const chunk of gzip) yield chunk;
    await fed;
  } finally {
    gzip.destroy();
  }
}

/** True if the `Accept-Encoding` of a request allows gzip (RFC 9110, 12.5.3). */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  const text = typeof header === 'string' ? header : header.join(',');
  return text.split(',').some((entry) => {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return (coding === 'gzip' || coding === '*') && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
