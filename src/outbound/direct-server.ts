/** A request to a server in this process. */
export interface DirectCall {
  readonly method: string;
  /** Encoded, with the query. */
  readonly path: string;
  /** Names and values alternately. The server owns the array. */
  readonly headers: string[];
  /** Must not change any more. */
  readonly body: Buffer | undefined;
}

/** The beginning of a response: names and values of headers alternate. */
export interface DirectHead {
  readonly status: number;
  readonly headers: readonly string[];
}

/** The response to a request to a server in this process. */
export interface DirectAnswer {
  /** Rejects with the reason of `destroy`, or if the server cuts the response off. */
  readonly head: Promise<DirectHead>;
  /**
   * Takes all bytes of the body that have arrived, or waits for the next; undefined at its end.
   * Others may share the bytes: they must not be changed. Rejects as `head` does.
   */
  take(): Promise<readonly Buffer[] | undefined>;
  /** Gives the response up, as the loss of a connection does. No effect after its end. */
  destroy(reason?: Error): void;
  /** Calls a listener when all has been taken, or nothing more can be. */
  once(event: 'close', listener: () => void): this;
}

/**
 * Sends a request to a server in this process, without a connection and without HTTP. Throws
 * `ECONNREFUSED` if the server is closed.
 */
export type DirectServer = (call: DirectCall) => DirectAnswer;
