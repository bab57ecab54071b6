import { closeSync, fstatSync, openSync, renameSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { pause } from '../async/timers.ts';
import { backupName, pruneBackups, type Rotation } from './rotation.ts';

/** The path that stands for standard output. */
const standardOutput = '-';

const standardOutputFd = 1;
const bytesPerMegabyte = 1024 * 1024;

/** Only the user of the server may read the actions of others. */
const fileMode = 0o600;

/** The pause before another write to a full pipe that does not block. */
const fullPipeMs = 10;

const writeAsync = promisify(write);

/** Lines beyond this are refused while a reader blocks the file. */
const longestWaitingChars = 16 * 1024 * 1024;

/** The lines of most turns fit into this; each character takes at most three bytes. */
const scratchBytes = 64 * 1024;
const longestScratchText = Math.floor(scratchBytes / 3);

/** A group of lines that are written together. */
interface LineGroup {
  text: string;
  readonly written: Promise<Error | undefined>;
}

/**
 * A file to which lines are appended, or standard output. A file that would exceed its size is
 * renamed first, and old ones are compressed or deleted.
 */
export class AuditFile {
  readonly #path: string;
  readonly #rotation: Rotation;
  readonly #onProblem: (error: unknown) => void;
  #fd: number;
  #size: number;
  /** True if a line was written in part: the next one begins on a line of its own. */
  #isTorn = false;
  #running: Promise<unknown> = Promise.resolve();
  #waiting: LineGroup | undefined;
  #maintenance: Promise<void> = Promise.resolve();
  /** True if writes do not have to wait for a reader. */
  readonly isRegular: boolean;

  /** Holds the bytes of `writeNow`: allocating them costs as much as encoding them. */
  readonly #scratch = Buffer.allocUnsafe(scratchBytes);

  /** Opens a file, which is created if it is missing. Throws if it cannot be opened. */
  constructor(path: string, rotation: Rotation, onProblem: (error: unknown) => void) {
    this.#path = path;
    this.#rotation = rotation;
    this.#onProblem = onProblem;
    this.#fd = path === standardOutput ? standardOutputFd : openSync(path, 'a', fileMode);
    const state = fstatSync(this.#fd);
    this.isRegular = path !== standardOutput && state.isFile();
    this.#size = this.isRegular ? state.size : 0;
    if (this.isRegular) this.#maintain();
  }

  /** Appends lines before it returns; for regular files. Returns the error if they are lost. */
  writeNow(text: string): Error | undefined {
    const bytes = this.#roomFor(this.#scratchBytesOf(text));
    let offset = 0;
    try {
      while (offset < bytes.length) offset += writeSync(this.#fd, bytes, offset);
      return undefined;
    } catch (error) {
      return asError(error);
    } finally {
      this.#wrote(offset, bytes.length);
    }
  }

  /**
   * Appends lines, together with the lines of other calls that wait for the running write. Resolves
   * with the error if they are lost.
   */
  write(text: string): Promise<Error | undefined> {
    const waiting = this.#waiting;
    if (!waiting) {
      const written = this.#running.then(() => this.#writeGroup());
      this.#waiting = { text, written };
      this.#running = written;
      return written;
    }
    if (waiting.text.length > longestWaitingChars) return Promise.resolve(new Error(`${this.#path} is blocked`));
    waiting.text += text;
    return waiting.written;
  }

  /** Closes the file after the running writes. */
  async close(): Promise<void> {
    await this.#running;
    await this.#maintenance;
    if (this.#fd !== standardOutputFd) closeSync(this.#fd);
  }

  async #writeGroup(): Promise<Error | undefined> {
    const bytes = this.#roomFor(Buffer.from(this.#ownLine(this.#waiting?.text ?? '')));
    this.#waiting = undefined;
    let offset = 0;
    try {
      while (offset < bytes.length) offset += await this.#writeSome(bytes, offset);
      return undefined;
    } catch (error) {
      return asError(error);
    } finally {
      this.#wrote(offset, bytes.length);
    }
  }

  async #writeSome(bytes: Buffer, offset: number): Promise<number> {
    try {
      const { bytesWritten } = await writeAsync(this.#fd, bytes, offset);
      return bytesWritten;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      await pause(fullPipeMs);
      return 0;
    }
  }

  /** Ends a torn line before the text. */
  #ownLine(text: string): string {
    return this.#isTorn ? `\n${text}` : text;
  }

  /** Encodes a text; the bytes are valid until the next call. */
  #scratchBytesOf(text: string): Buffer {
    const line = this.#ownLine(text);
    if (line.length > longestScratchText) return Buffer.from(line);
    return this.#scratch.subarray(0, this.#scratch.write(line, 0));
  }

  /** Rotates the file if it has no room for the bytes. Returns the bytes. */
  #roomFor(bytes: Buffer): Buffer {
    const limit = this.#rotation.maxMegabytes * bytesPerMegabyte;
    if (this.isRegular && this.#size > 0 && this.#size + bytes.length > limit) this.#rotate();
    return bytes;
  }

  #wrote(written: number, wanted: number): void {
    this.#size += written;
    if (written > 0) this.#isTorn = written < wanted;
  }

  /** Goes on with the same file if it cannot be renamed. */
  #rotate(): void {
    try {
      renameSync(this.#path, backupName(this.#path, new Date()));
      const opened = openSync(this.#path, 'a', fileMode);
      closeSync(this.#fd);
      this.#fd = opened;
      this.#size = 0;
      this.#maintain();
    } catch (error) {
      this.#onProblem(error);
    }
  }

  #maintain(): void {
    this.#maintenance = this.#maintenance
      .then(() => pruneBackups(this.#path, this.#rotation, new Date()))
      .catch((error: unknown) => this.#onProblem(error));
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
