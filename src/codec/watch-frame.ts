/** Types of watch events (spec 6.1). */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

function prefixOf(type: WatchEventType): Buffer {
  return Buffer.from(`{"type":"${type}","object":`);
}

const prefixes: Readonly<Record<WatchEventType, Buffer>> = Object.freeze({
  ADDED: prefixOf('ADDED'),
  MODIFIED: prefixOf('MODIFIED'),
  DELETED: prefixOf('DELETED'),
  BOOKMARK: prefixOf('BOOKMARK'),
  ERROR: prefixOf('ERROR'),
});

const suffix = Buffer.from('}\n');

/**
 * One event of a watch in JSON: a line that holds the type and the object, whose bytes are taken as they are. In parts, to be
 * written behind one another; the parts around the object are the same buffers each time.
 */
export function watchFrameParts(type: WatchEventType, object: Buffer): readonly Buffer[] {
  return [prefixes[type], object, suffix];
}

/** The same in one piece. */
export function watchFrame(type: WatchEventType, object: Buffer): Buffer {
  return Buffer.concat(watchFrameParts(type, object));
}
