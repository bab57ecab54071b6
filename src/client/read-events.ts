import type { ApiObject, Status, WatchEvent } from './api-object.ts';
import type { JsonCodec } from './json-codec.ts';
import { readLines } from './read-lines.ts';
import { StatusError } from './status-error.ts';

/** Reads the events of a watch, one per line. Throws an ERROR event as StatusError. */
export async function* readEvents<T extends ApiObject>(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  codec: JsonCodec,
): AsyncIterable<WatchEvent<T>> {
  for await (const line of readLines(await open())) {
    // The caller declares the type of the objects; the server enforces its schema.
    const event = codec.parse(line) as WatchEvent<T> | { readonly type: 'ERROR'; readonly object: Status };
    if (event.type === 'ERROR') throw new StatusError(event.object);
    yield event;
  }
}
