import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request for another protocol. */
export interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}
