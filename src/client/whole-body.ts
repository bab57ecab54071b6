import type { Readable } from 'node:stream';
import { badAnswer } from './error-of-response.ts';

/**
 * Collects a body with less work, and fewer modules to load, than `node:stream/consumers`. Rejects
 * with `StatusError` (`BadAnswer`) if it is longer than the limit.
 */
export function wholeBody(body: Readable, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const cutOff = (): Error => body.errored ?? new Error('the response was cut off');
    if (body.destroyed && !body.readableEnded) {
      reject(cutOff());
      return;
    }
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limitBytes) body.destroy(tooLong(limitBytes));
    });
    body.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)));
    body.once('error', reject);
    // Only then, because an error is dear to make.
    body.once('close', () => {
      if (!body.readableEnded) reject(cutOff());
    });
  });
}

/** The error of a body that does not end. */
export function tooLong(limitBytes: number): Error {
  return badAnswer(`the server sent more than ${limitBytes} bytes`);
}
