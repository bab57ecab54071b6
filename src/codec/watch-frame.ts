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
 * One event of a watch in JSON: a line that holds the type and the object, whose bytes are taken as they are. Made
 * once for an event and sent to every watcher.
 */
export function watchFrame(type: WatchEventType, object: Uint8Array): Buffer {
  return Buffer.concat([prefixes[type], object, suffix]);
}
