/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The streams of a program in a stand-in container. */
export interface ProgramCall {
  /** The input; without one it is at its end. */
  readonly stdin: AsyncIterable<Buffer>;
  /** Writes to the client at its pace; what no stream takes is dropped. */
  readonly out: (data: string | Uint8Array) => Promise<void>;
  readonly err: (data: string | Uint8Array) => Promise<void>;
  readonly tty: boolean;
  /** The last size that the client has reported. */
  readonly size: () => TerminalSize;
  /** Aborts when the client is gone or the node stops. */
  readonly signal: AbortSignal;
}

/** Runs until its end and returns the exit code. Throws AgentError if it cannot be started. */
export type Program = (call: ProgramCall) => Promise<number>;

/** No input. */
export async function* noInput(): AsyncGenerator<Buffer> {}
