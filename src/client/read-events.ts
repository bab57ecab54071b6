import type { ApiObject, Status, WatchEvent } from './api-object.ts';
import type { JsonCodec } from './json-codec.ts';
import { readLines } from './read-lines.ts';
import { StatusError } from './status-error.ts';

/**
 * Reads the events of a watch, one per line. Ends when the signal aborts. Throws an ERROR event as
 * StatusError.
 */
export async function* readEvents<T extends ApiObject>(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  codec: JsonCodec,
  signal: AbortSignal | undefined,
): AsyncIterable<WatchEvent<T>> {
  for await (const line of readLines(openUntilAborted(open, signal))) {
    // The caller declares the type of the objects; the server enforces its schema.
    const event = codec.parse(line) as WatchEvent<T> | { readonly type: 'ERROR'; readonly object: Status };
    if (event.type === 'ERROR') throw new StatusError(event.object);
    yield event;
  }
}

async function* openUntilAborted(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  try {
    yield* await open();
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
