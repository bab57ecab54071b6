import { textFormatType } from '../../metrics/text-format.ts';
import { methodNotAllowed } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { sendBytes } from '../respond/send-bytes.ts';

/** Handles `/metrics` (spec 4.9); `text` returns the current metrics. */
export function handleMetrics(text: () => string): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    const { method } = exchange.request;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
    await sendBytes(exchange, { status: 200, contentType: textFormatType, body: Buffer.from(text()) });
  };
}
