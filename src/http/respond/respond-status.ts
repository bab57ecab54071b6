import type { successStatus } from '../../codec/status-body.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Representation } from './representation.ts';
import { sendAsItIs } from './send-bytes.ts';

/** Answers a Status that is no error. It is never transformed: a client that asks for a Table of a delete gets this. */
export function respondStatus(
  exchange: Exchange,
  { codec }: Representation,
  status: number,
  body: ReturnType<typeof successStatus>,
): void {
  sendAsItIs(exchange, { status, contentType: codec.mediaType, body: codec.encodeStatus(body) });
}
