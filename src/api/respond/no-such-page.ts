import type { Exchange } from '../request/exchange.ts';
import { sendAsItIs } from '../../http-protocol/responses/send-bytes.ts';

const page = Buffer.from('404 page not found\n');

/**
 * Answers a path outside every API group: 404 in plain text, as clients that probe for a group
 * expect.
 */
export function sendNoSuchPage(exchange: Exchange): void {
  sendAsItIs(exchange, { status: 404, contentType: 'text/plain; charset=utf-8', body: page });
}
