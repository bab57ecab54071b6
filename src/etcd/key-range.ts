/** From `key` (inclusive) to `range_end` (exclusive), as in etcd's requests. */
interface KeyRange {
  readonly key: Buffer;
  readonly range_end: Buffer;
}

const zero = Buffer.from([0]);

/**
 * The range of the keys with `prefix`, from `startKey` on. Undefined if `startKey` is after all of
 * them.
 */
export function keyRange(prefix: string, startKey = prefix): KeyRange | undefined {
  const range = prefixRange(prefix);
  const start = Buffer.from(startKey);
  if (Buffer.compare(start, range.key) <= 0) return range;
  const { range_end: end } = range;
  return end !== zero && Buffer.compare(start, end) >= 0 ? undefined : { key: start, range_end: end };
}

/** The range of all keys with `prefix`. */
export function prefixRange(prefix: string): KeyRange {
  const key = Buffer.from(prefix);
  // An empty key has another meaning in etcd; a zero byte is the smallest key.
  return { key: key.length > 0 ? key : zero, range_end: endOf(key) };
}

/**
 * The prefix with its last byte incremented. UTF-8 has no byte 255, so only the empty prefix has no
 * such end.
 */
function endOf(prefix: Buffer): Buffer {
  if (prefix.length === 0) return zero;
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end[end.length - 1] ?? 0) + 1;
  return end;
}

/**
 * A value at the revision of its last write. `createRevision` is the revision at which its key was
 * created.
 */
export interface EtcdValue {
  readonly key: string;
  readonly value: Buffer;
  readonly revision: number;
  readonly createRevision: number;
}
