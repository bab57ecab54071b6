import { linkSignals } from '../../async/abort-signals.ts';
import type { UpgradeAnswer } from '../../outbound/backend.ts';
import { joinSockets } from '../../http-protocol/forward/join-sockets.ts';
import type { Exchange } from '../../api/request/exchange.ts';
import type { Upgrade } from '../../http-protocol/messages/upgrade.ts';
import { forwardedResponseHeaders } from './forwarded-headers.ts';
import { forwardResponse } from './forward-response.ts';

/**
 * Connects a client with a backend that has accepted the upgrade: bytes pass in both directions
 * until one side ends, at the pace of the slower one. Any other answer is passed on as a response.
 * Ends when the exchange does, or when the server drains.
 */
export async function forwardUpgrade(
  exchange: Exchange,
  upgrade: Upgrade,
  answer: UpgradeAnswer,
  shutdown: AbortSignal,
): Promise<void> {
  if (!answer.upgraded) return forwardResponse(exchange, answer.response);
  const { headers, socket, head } = answer;
  // The client may have gone meanwhile.
  if (exchange.ended || exchange.signal.aborted) {
    socket.destroy();
    return;
  }
  if (head.length > 0) socket.unshift(head);
  const protocol = valueOf(headers, 'upgrade');
  const client = upgrade.accept(protocol, forwardedResponseHeaders(headers));
  exchange.audit?.started(101);
  exchange.audit?.flush();
  const { signal, release } = linkSignals(exchange.signal, shutdown);
  await joinSockets(client, socket, { signal, onSent: (bytes) => (exchange.sentBytes += bytes) });
  release();
}

function valueOf(headers: readonly string[], lowerCaseName: string): string {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === lowerCaseName);
  return index < 0 ? '' : (headers[index + 1] ?? '');
}
