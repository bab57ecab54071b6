import { RecordingError } from './recording-file.ts';
import { checkSnapshot, readSnapshot, type SnapshotEntry, type SnapshotSummary } from './snapshot-file.ts';

/** A store without keys, into which a snapshot is written. */
export interface SnapshotTarget {
  /** The number of keys that the store has. */
  count(): Promise<number>;
  /** Creates a key. Resolves to false if another program was first. */
  create(key: string, value: Uint8Array, ttlSeconds: number | undefined): Promise<boolean>;
}

/** How a snapshot is written. */
export interface RestoreOptions {
  /** The prefix that some keys must have: the server would not see keys with another one. */
  readonly prefix?: string;
  /** True if a server may read objects in binary form (`--storage-media-type`). Default false. */
  readonly mayBeBinary?: boolean;
  /** Called once the file and the store are found to be right, before the first key is written. */
  readonly beforeWrites?: (summary: SnapshotSummary) => Promise<void>;
  /** Called with the number of written keys, and of all. */
  readonly onProgress?: (restored: number, count: number) => void;
  readonly signal?: AbortSignal;
}

/** Prefixes that a message names. */
const shownPlaces = 5;

/** Writes at the same time. */
const writers = 32;

/** A group of keys that expire. A snapshot does not contain their remaining time to live. */
interface ExpiringKeys {
  /** The prefix of the keys after the prefix of the store. */
  readonly start: string;
  /**
   * The pattern of the keys if the prefix of the store is unknown. It does not match objects in a
   * namespace of the same name.
   */
  readonly pattern: RegExp;
  readonly seconds: number;
}

/**
 * The keys of Events, which expire after an hour by default, and of addresses of running servers:
 * without a lease clients would be sent to a lost machine for ever.
 */
const expiringKeys: readonly ExpiringKeys[] = [
  { start: 'events/', pattern: /\/events\/[^/]+\/[^/]+$/, seconds: 3600 },
  { start: '~/servers/', pattern: /\/~\/servers\/[^/]+$/, seconds: 60 },
  { start: '~/peers/', pattern: /\/~\/peers\/[^/]+$/, seconds: 15 },
  { start: 'masterleases/', pattern: /^\/?[^/]+\/masterleases\/[^/]+$/, seconds: 15 },
];

/**
 * Writes a snapshot into a store without keys, as it was saved. The file is checked before.
 * Returns what it has. Throws RecordingError if it is damaged, of a server of another kind or
 * prefix, or if the store has keys.
 */
export async function restoreSnapshot(
  file: string,
  target: SnapshotTarget,
  options: RestoreOptions = {},
): Promise<SnapshotSummary> {
  const { prefix, mayBeBinary = false, onProgress = () => {}, signal } = options;
  const start = prefix === undefined ? '' : `${prefix.replace(/\/$/, '')}/`;
  const places = new Set<string>();
  let isSeen = false;
  const summary = await checkSnapshot(file, (entry) => {
    if (!mayBeBinary) checkEntry(file, entry);
    isSeen ||= entry.key.startsWith(start);
    if (places.size < shownPlaces) places.add(/^\/?[^/]*/.exec(entry.key)?.[0] ?? '');
  });
  if (!isSeen) {
    const found = places.size === 0 ? 'no keys' : `keys of ${[...places].join(', ')} and none of ${prefix}`;
    throw new RecordingError(`${file} has ${found}: it is of a server with another prefix`);
  }
  const present = await target.count();
  if (present > 0) {
    const message = `the store has ${present} keys; a snapshot is only restored into an empty one`;
    throw new RecordingError(message, { code: 'StoreNotEmpty' });
  }
  await options.beforeWrites?.(summary);
  const entries = readSnapshot(file)[Symbol.asyncIterator]();
  let restored = 0;
  const writeAll = async (): Promise<void> => {
    for (let next = await entries.next(); !next.done; next = await entries.next()) {
      signal?.throwIfAborted();
      const { key, value } = next.value;
      const isCreated = await target.create(key, value, secondsOf(key, prefix && start));
      if (!isCreated) throw new RecordingError('another program writes into the store');
      onProgress(++restored, summary.count);
    }
  };
  // All writers have ended before the error: no key is written after it.
  const ends = await Promise.allSettled(Array.from({ length: writers }, writeAll));
  const failure = ends.find((end) => end.status === 'rejected');
  if (failure) throw incomplete(failure.reason, restored, summary.count);
  return summary;
}

/** A server would take a part of the keys for all of them. */
function incomplete(cause: unknown, restored: number, count: number): unknown {
  if (restored === 0) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  const state = `only ${restored} of ${count} keys are restored: delete the data of the store, and restore again`;
  return new RecordingError(`${why}; ${state}`, { cause, code: 'StoreIncomplete' });
}

/** The time to live of a restored key; undefined: unlimited. */
function secondsOf(key: string, prefix: string | undefined): number | undefined {
  return expiringKeys.find(({ start, pattern }) => (prefix ? key.startsWith(prefix + start) : pattern.test(key)))
    ?.seconds;
}

/** The first bytes of the values of kube-apiserver, which stores Protobuf by default. */
const binary = Buffer.from('k8s\0');

function checkEntry(file: string, { key, value }: SnapshotEntry): void {
  if (!binary.equals(value.subarray(0, binary.length))) return;
  throw new RecordingError(
    `${file} has objects in the binary form of another server (${key}), which is not read: record its cluster instead`,
  );
}
