import type { Readable, Writable } from 'node:stream';

/** The environment of a command: data goes to `stdout`, messages to `stderr`. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that relative paths refer to. */
  readonly directory: string;
  /** Aborts on SIGINT, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
}
