import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { temporaryName } from '../files/temporary-name.ts';
import { RecordingError } from './recording-file.ts';

/** A key of the store and its value. */
export interface SnapshotEntry {
  readonly key: string;
  readonly value: Uint8Array;
}

/** The first line of a snapshot, after which its entries follow. */
interface SnapshotHead {
  readonly format: 1;
  /** The revision of the store at which all entries were read. */
  readonly revision: number;
  /** RFC 3339. */
  readonly time: string;
}

/** The number of entries, the revision and the time of a snapshot whose checksum is right. */
export interface SnapshotSummary extends SnapshotHead {
  readonly count: number;
}

/** The length that stands for the end: no key is as long. */
const endMark = 0xffff_ffff;
const hashBytes = 32;
/** More than etcd takes as a value: a damaged length is not read into memory. */
const mostBytes = 64 * 1024 * 1024;
/** The first line of a snapshot is far shorter. */
const longestHead = 64 * 1024;

/**
 * Writes a snapshot, compressed, and only its owner can read it. A file of that name is replaced at
 * the end; an error leaves it as it is. A device or pipe is written to. Returns the number of
 * entries. Throws RecordingError if the file cannot be written.
 */
export async function writeSnapshot(
  file: string,
  revision: number,
  entries: AsyncIterable<SnapshotEntry>,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  const hash = createHash('sha256');
  async function* encode(): AsyncIterable<Buffer> {
    const head: SnapshotHead = { format: 1, revision, time: new Date().toISOString() };
    yield Buffer.from(`${JSON.stringify(head)}\n`);
    for await (const { key, value } of entries) {
      const bytes = Buffer.concat([sized(Buffer.from(key)), sized(value)]);
      hash.update(bytes);
      count++;
      yield bytes;
    }
    yield Buffer.concat([lengthBytes(endMark), hash.digest()]);
  }
  const isReplaced = await canBeReplaced(file);
  const written = isReplaced ? temporaryName(file) : file;
  const target = createWriteStream(written, { flags: isReplaced ? 'wx' : 'w', mode: 0o600, flush: isReplaced });
  try {
    await pipeline(encode(), createGzip(), target, { signal });
    if (isReplaced) await rename(written, file);
  } catch (error) {
    if (isReplaced) await rm(written, { force: true });
    throw target.errored === error ? notWritten(file, error) : error;
  }
  return count;
}

/** A device keeps its place: a file there would be in the way of every other program. */
async function canBeReplaced(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile() || found.isDirectory(),
    () => true,
  );
}

function notWritten(file: string, cause: unknown): unknown {
  if (!(cause instanceof Error && 'code' in cause)) return cause;
  const isFull = cause.code === 'ENOSPC' || cause.code === 'EDQUOT';
  const why = isFull ? 'there is no room left: use another disk' : cause.message;
  return new RecordingError(`${file} cannot be written: ${why}`, { cause });
}

function sized(bytes: Uint8Array): Buffer {
  return Buffer.concat([lengthBytes(bytes.length), bytes]);
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

/** The first bytes of a compressed file. */
const compressed = Buffer.from([0x1f, 0x8b]);

/** True if a file begins as a snapshot does, not as a recording. Throws if it cannot be read. */
export async function isSnapshot(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(compressed.length), 0, compressed.length, 0);
    return buffer.equals(compressed);
  } finally {
    await handle.close();
  }
}

/**
 * Reads a whole snapshot, and passes its entries to a check. Throws what that throws, and
 * RecordingError if the file is damaged or incomplete.
 */
export async function checkSnapshot(
  file: string,
  check: (entry: SnapshotEntry) => void = () => {},
): Promise<SnapshotSummary> {
  let count = 0;
  const reader = new SnapshotReader(file);
  const head = await reader.head();
  for await (const entry of reader.entries()) {
    check(entry);
    count++;
  }
  return { ...head, count };
}

/** The entries of a snapshot that was checked. */
export async function* readSnapshot(file: string): AsyncIterable<SnapshotEntry> {
  const reader = new SnapshotReader(file);
  await reader.head();
  yield* reader.entries();
}

/** Reads a file from its start to its end. */
class SnapshotReader {
  readonly #file: string;
  readonly #pieces: AsyncIterator<Buffer>;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    const stream = createReadStream(file);
    const plain = createGunzip();
    stream.once('error', (error) => plain.destroy(error));
    stream.pipe(plain);
    this.#pieces = (plain as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  async head(): Promise<SnapshotHead> {
    let end = this.#bytes.indexOf('\n');
    for (; end < 0 && this.#bytes.length < longestHead; end = this.#bytes.indexOf('\n')) {
      await this.#readTo(this.#bytes.length + 1);
    }
    if (end < 0) throw this.#damaged('it is no snapshot of this version');
    const text = (await this.#take(end + 1)).toString();
    const head = parsed(text);
    if (head?.format === 1 && Number.isSafeInteger(head.revision) && isTime(head.time)) return head as SnapshotHead;
    throw this.#damaged('it is no snapshot of this version');
  }

  async *entries(): AsyncIterable<SnapshotEntry> {
    const hash = createHash('sha256');
    for (;;) {
      const length = (await this.#take(4)).readUInt32BE();
      if (length === endMark) break;
      const key = await this.#take(length);
      const size = (await this.#take(4)).readUInt32BE();
      const value = await this.#take(size);
      hash.update(lengthBytes(length)).update(key).update(lengthBytes(size)).update(value);
      yield { key: key.toString(), value };
    }
    if (!hash.digest().equals(await this.#take(hashBytes))) throw this.#damaged('its checksum is wrong');
    if (this.#bytes.length > 0 || !(await this.#next()).done) throw this.#damaged('it goes on after its end');
  }

  async #take(length: number): Promise<Buffer> {
    if (length > mostBytes) throw this.#damaged('a length in it is wrong');
    await this.#readTo(length);
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }

  /** Reads until this many bytes are there. */
  async #readTo(length: number): Promise<void> {
    const pieces = [this.#bytes];
    for (let size = this.#bytes.length; size < length; ) {
      const next = await this.#next();
      if (next.done) throw this.#damaged('it ends too early');
      pieces.push(next.value);
      size += next.value.length;
    }
    if (pieces.length > 1) this.#bytes = Buffer.concat(pieces);
  }

  /** The end shows that nothing of the file is missing. */
  #next(): Promise<IteratorResult<Buffer>> {
    return this.#pieces.next().catch((cause: unknown) => {
      throw this.#damaged(cause instanceof Error ? cause.message : String(cause));
    });
  }

  #damaged(why: string): RecordingError {
    return new RecordingError(`${this.#file} cannot be used: ${why}`);
  }
}

/** True for a time as a snapshot has it: it is shown, and must not control the terminal. */
function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^[\d:.TZ-]+$/.test(value);
}

/** The head that a text may be; its members are not checked. */
function parsed(text: string): Partial<SnapshotHead> | undefined {
  try {
    return (JSON.parse(text) as Partial<SnapshotHead> | null) ?? undefined;
  } catch {
    return undefined;
  }
}
