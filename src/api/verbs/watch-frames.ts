import type { WatchEncoder } from '../../codec/codec.ts';
import { type Document, documentOf } from '../../codec/document.ts';
import { failureStatus, statusDocument } from '../../codec/status-body.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { VersionedEvent } from '../../registry/definition/registry.ts';
import { absentCreation } from '../../scheme/emulated-release.ts';
import type { StatusError } from '../../status/status-error.ts';
import { apiVersionOf, kindOf, type ResourceCall } from '../request/resource-call.ts';
import { withoutManagers } from '../respond/metadata-documents.ts';
import { bookmarkInShape, watchedInShape } from '../respond/object-in-shape.ts';
import type { Representation } from '../respond/representation.ts';
import { type Chunk, joinChunk } from '../../http-protocol/responses/write-chunks.ts';

/** Encodes the events of one watch. */
export interface FrameWriter {
  /** The Content-Type of the response. */
  readonly mediaType: string;
  /**
   * Encodes a batch of events as chunks of about `chunkBytes`. Each is made when it is taken: the
   * first batches of a watch can have many times the bytes that its reader takes.
   */
  join(batch: readonly VersionedEvent[], chunkBytes: number): Iterable<Chunk>;
  /** Encodes an ERROR event with the reason for the end of the watch. */
  error(status: StatusError): Buffer;
}

interface FrameOptions {
  readonly sharedFrames: SharedFrames;
  /** Wraps the encoder of events; must return the same encoder for the same argument. */
  readonly framed?: (encoder: WatchEncoder) => WatchEncoder;
}

type BookmarkEvent = Extract<VersionedEvent, { readonly type: 'BOOKMARK' }>;

/**
 * Creates the writer of one watch for the negotiated shape and format. A watch in the shape of a
 * metadata list sends the metadata of each object. `framed` changes how events are delimited.
 * Throws 406 for a format without streams.
 */
export function createFrameWriter(
  call: ResourceCall,
  representation: Representation,
  { sharedFrames, framed = (same) => same }: FrameOptions,
): FrameWriter {
  const { watch } = representation.codec;
  if (!watch) throw call.exchange.formats.notAcceptableInWatch();
  const encoder = framed(watch);
  const { shape, dropsManagers } = representation;
  const plain = shape === 'object' && !dropsManagers;
  let first = true;
  const partsOf = (event: VersionedEvent): readonly Buffer[] => {
    if (event.type === 'BOOKMARK') {
      const bookmark = bookmarkDocument(call, representation, event, first);
      first = false;
      return encoder.frame('BOOKMARK', bookmark);
    }
    if (plain) return encoder.frame(event.type, event.object);
    const object = dropsManagers ? withoutManagers(event.object) : event.object;
    const document = shape === 'object' ? object : watchedInShape(call, representation, object, first);
    first = false;
    return encoder.frame(event.type, document);
  };
  const joined = (events: readonly VersionedEvent[]): Chunk => joinChunk(events.flatMap(partsOf));
  return {
    mediaType: encoder.mediaType,
    *join(batch, chunkBytes) {
      for (const events of pieces(batch, chunkBytes)) {
        yield plain ? sharedFrames.join(encoder, events, joined) : joined(events);
      }
    },
    error: (status) => Buffer.concat(encoder.frame('ERROR', statusDocument(failureStatus(status)))),
  };
}

/** Divides a batch into pieces whose objects reach a size in bytes. */
function pieces(batch: readonly VersionedEvent[], bytes: number): readonly (readonly VersionedEvent[])[] {
  const divided: (readonly VersionedEvent[])[] = [];
  let from = 0;
  let size = 0;
  for (let at = 0; at < batch.length; at++) {
    size += bytesOf(batch[at]);
    if (size < bytes) continue;
    divided.push(batch.slice(from, at + 1));
    from = at + 1;
    size = 0;
  }
  if (from < batch.length) divided.push(from === 0 ? batch : batch.slice(from));
  return divided;
}

function bytesOf(event: VersionedEvent | undefined): number {
  return event === undefined || event.type === 'BOOKMARK' ? 0 : (event.object.size ?? event.object.json.length);
}

/** Encoded events shared by many watches. */
interface SharedFrames {
  /**
   * Returns the encoded events of a batch as one chunk. Calls `make` unless the previous call for
   * this encoder had the same events.
   */
  join(
    encoder: WatchEncoder,
    events: readonly VersionedEvent[],
    make: (events: readonly VersionedEvent[]) => Chunk,
  ): Chunk;
}

/**
 * Creates a cache of the last chunk in each format (invariant 5). The watches of a collection are
 * woken in sequence and mostly get the same events. Older chunks are not cached, because they would
 * be a second copy of every watched object.
 */
export function createSharedFrames(): SharedFrames {
  const lastOf = new Map<WatchEncoder, { readonly events: readonly VersionedEvent[]; readonly chunk: Chunk }>();
  return {
    join(encoder, events, make) {
      const last = lastOf.get(encoder);
      if (last && areSame(last.events, events)) return last.chunk;
      const chunk = make(events);
      lastOf.set(encoder, { events, chunk });
      return chunk;
    },
  };
}

function areSame(a: readonly VersionedEvent[], b: readonly VersionedEvent[]): boolean {
  return a.length === b.length && a.every((event, index) => isSame(event, b[index]));
}

/**
 * True if two events have the same encoding. Bookmarks are never shared: their encoding also
 * depends on the watch.
 */
function isSame(a: VersionedEvent, b: VersionedEvent | undefined): boolean {
  if (a.type === 'BOOKMARK' || !b || b.type === 'BOOKMARK' || a.type !== b.type) return false;
  // The document of an object may be created on each access, and objects in another version for
  // each request.
  return a.object === b.object || a.object.json === b.object.json;
}

/** Creates the object of a bookmark: its kind, apiVersion and resourceVersion, no other content. */
function bookmarkObject(call: ResourceCall, event: BookmarkEvent): JsonObject {
  const { apiDomain } = call.scope.identifiers;
  const { kind, ...groupVersion } = kindOf(call);
  return {
    kind,
    apiVersion: apiVersionOf(groupVersion),
    metadata: {
      resourceVersion: String(event.revision),
      ...absentCreation(call.scope.emulated),
      ...(event.initialEventsEnd ? { annotations: { [`${apiDomain}/initial-events-end`]: 'true' } } : {}),
    },
  };
}

/**
 * Creates a bookmark in the shape of the events. In a Table it is a row, as in kube-apiserver. The
 * row of the bookmark after the initial state always has metadata, because the annotation that
 * marks it cannot be in the Table itself.
 */
function bookmarkDocument(
  call: ResourceCall,
  representation: Representation,
  event: BookmarkEvent,
  first: boolean,
): Document {
  const object = bookmarkObject(call, event);
  const { shape, includeObject } = representation;
  if (shape === 'object') return documentOf(object);
  const needsObject = event.initialEventsEnd && includeObject === 'None';
  const shaped: Representation = needsObject ? { ...representation, includeObject: 'Metadata' } : representation;
  return bookmarkInShape(call, shaped, object, first);
}
