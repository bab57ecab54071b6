import type { Exchange } from '../request/exchange.ts';
import type { Representation } from './representation.ts';
import { formatted } from './respond-object.ts';
import { sendAsItIs } from './send-bytes.ts';
import { encodeStatus, type successStatus } from './status-body.ts';

/** Answers a Status that is no error. It is never transformed: a client that asks for a Table of a delete gets this. */
export function respondStatus(
  exchange: Exchange,
  representation: Representation,
  status: number,
  body: ReturnType<typeof successStatus>,
): void {
  sendAsItIs(exchange, { status, ...formatted(exchange, representation, encodeStatus(body)) });
}
