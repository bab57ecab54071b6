import type { successStatus } from '../../codec/status-body.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Representation } from './representation.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';

/**
 * Responds with a Status that is not an error. It is never transformed: a delete requested as a
 * Table also gets a Status.
 */
export function respondStatus(
  exchange: Exchange,
  { codec }: Representation,
  status: number,
  body: ReturnType<typeof successStatus>,
): void {
  exchange.audit?.answered({ status: 'Success', code: status });
  exchange.audit?.responseObject(() => JSON.stringify(body));
  sendAsItIs(exchange, { status, contentType: codec.mediaType, body: codec.encodeStatus(body) });
}
