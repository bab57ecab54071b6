import { randomUUID } from 'node:crypto';

/**
 * Identifies the connections over which a client has talked to etcd. The ID changes when another
 * one opens, because the member behind its address may have been replaced or restored meanwhile.
 */
export class ConnectionSession {
  readonly #client = randomUUID();
  #opened = 0;

  /** Unique over all processes. An ID that was replaced never returns. */
  get id(): string {
    return `${this.#client}.${this.#opened}`;
  }

  /** Begins the next session; called when a connection is open, before a call is sent over it. */
  renew(): void {
    this.#opened++;
  }
}
