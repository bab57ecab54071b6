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
  const prefixBytes = Buffer.from(prefix);
  const startBytes = Buffer.from(startKey);
  const end = endOf(prefixBytes);
  const start = Buffer.compare(startBytes, prefixBytes) > 0 ? startBytes : prefixBytes;
  if (end !== zero && Buffer.compare(start, end) >= 0) return undefined;
  // An empty key has another meaning in etcd; a zero byte is the smallest key.
  return { key: start.length > 0 ? start : zero, range_end: end };
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
