import { watchFrame } from '../../codec/watch-frame.ts';
import type { VersionedEvent } from '../../registry/registry.ts';
import type { StatusError } from '../../status/status-error.ts';
import { apiVersionOf, kindOf, type ResourceCall } from '../request/resource-call.ts';
import { watchedInShape } from '../respond/object-in-shape.ts';
import type { Representation } from '../respond/representation.ts';
import { encodeStatus, failureStatus } from '../respond/status-body.ts';

/** Turns the events of one watch into bytes. */
export interface FrameWriter {
  /** The frames of a batch, joined into as few buffers as the size allows. */
  join(batch: readonly VersionedEvent[], chunkBytes: number): Iterable<Buffer>;
}

type ObjectEvent = Exclude<VersionedEvent, { readonly type: 'BOOKMARK' }>;
type BookmarkEvent = Extract<VersionedEvent, { readonly type: 'BOOKMARK' }>;

/** The writer for one watch in the shape that the client asked for. */
export function createFrameWriter(
  call: ResourceCall,
  representation: Representation,
  sharedFrames: SharedFrames,
): FrameWriter {
  const plain = representation.shape === 'object';
  let first = true;
  const frameOf = (event: VersionedEvent): Buffer => {
    if (event.type === 'BOOKMARK') return bookmarkFrame(call, representation, event);
    if (plain) return sharedFrames.frame(event);
    const json = watchedInShape(call, representation, event.object, first);
    first = false;
    return watchFrame(event.type, json);
  };
  return {
    *join(batch, chunkBytes) {
      let frames: Buffer[] = [];
      let size = 0;
      for (const event of batch) {
        const frame = frameOf(event);
        frames.push(frame);
        size += frame.length;
        if (size < chunkBytes) continue;
        yield sharedFrames.join(frames);
        [frames, size] = [[], 0];
      }
      if (frames.length > 0) yield sharedFrames.join(frames);
    },
  };
}

/** Bytes that many watchers are sent, each made once. */
export interface SharedFrames {
  /** Frames an event in plain JSON. */
  frame(event: ObjectEvent): Buffer;
  /** Frames behind one another. Watchers of one collection are mostly sent the same ones in the same tick. */
  join(frames: readonly Buffer[]): Buffer;
}

/**
 * Frames by the bytes of their object: the same bytes reach every watcher, so each event is framed once for all of them
 * (invariant 5). Entries go when the object's bytes do.
 */
export function createSharedFrames(): SharedFrames {
  const known: Readonly<Record<ObjectEvent['type'], WeakMap<Buffer, Buffer>>> = {
    ADDED: new WeakMap(),
    MODIFIED: new WeakMap(),
    DELETED: new WeakMap(),
  };
  // One is enough: watchers of one collection are woken one after another.
  let last: { readonly frames: readonly Buffer[]; readonly bytes: Buffer } | undefined;
  return {
    frame({ type, object }) {
      // What has been there for long is sent once to each watcher that begins, and its document is made anew at each call.
      if (object.slab) return watchFrame(type, object.json);
      const made = known[type].get(object.json);
      if (made) return made;
      const frame = watchFrame(type, object.json);
      known[type].set(object.json, frame);
      return frame;
    },
    join(frames) {
      const [first] = frames;
      if (!first || frames.length === 1) return first ?? Buffer.alloc(0);
      if (last && isSame(last.frames, frames)) return last.bytes;
      last = { frames, bytes: Buffer.concat(frames) };
      return last.bytes;
    },
  };
}

function isSame(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return a.length === b.length && a.every((frame, index) => frame === b[index]);
}

/** A bookmark's object says its kind and its version and nothing else. */
function bookmarkFrame(call: ResourceCall, representation: Representation, event: BookmarkEvent): Buffer {
  const { apiDomain } = call.scope.identifiers;
  const { kind, ...groupVersion } = kindOf(call);
  const transformed = representation.shape !== 'object';
  const object = {
    kind: transformed ? representation.shape : kind,
    apiVersion: transformed ? `meta.${apiDomain}/${representation.metaVersion}` : apiVersionOf(groupVersion),
    metadata: {
      resourceVersion: String(event.revision),
      creationTimestamp: null,
      ...(event.initialEventsEnd ? { annotations: { [`${apiDomain}/initial-events-end`]: 'true' } } : {}),
    },
    ...(representation.shape === 'Table' ? { columnDefinitions: null, rows: [] } : {}),
  };
  return watchFrame('BOOKMARK', Buffer.from(JSON.stringify(object)));
}

/** The event that tells a watcher why its stream ends. */
export function errorFrame(error: StatusError): Buffer {
  return watchFrame('ERROR', encodeStatus(failureStatus(error)));
}
