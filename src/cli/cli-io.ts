import type { Readable, Writable } from 'node:stream';

/** What a command may touch besides the server: data goes to `stdout`, talk to `stderr`. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths start. */
  readonly directory: string;
  /** Aborts on a signal to end. */
  readonly signal: AbortSignal;
}

/** Options that stand before or after any verb. */
export interface GlobalOptions {
  readonly clientconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}
