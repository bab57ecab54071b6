import { badRequest } from '../../status/status-error.ts';
import { forwardRequest } from '../../http-protocol/forward/forward-request.ts';
import type { ConnectHandler } from './connect-subresource.ts';
import { connectionError, type ForwardingDependencies, hostOf, locationOf, pathOf } from './forwarding.ts';

/**
 * Creates the handler of `exec`, `attach` and `portforward`: it joins the connection of the client
 * with one to the node agent. The protocol in it, SPDY or WebSocket, is theirs.
 */
export function forwardStreams({ locate, open }: ForwardingDependencies): ConnectHandler {
  return async (call) => {
    const location = await locationOf(locate, call);
    const { exchange, upgrade, shutdown } = call;
    if (!upgrade || !location) throw badRequest('Upgrade request required');
    await forwardRequest(exchange, {
      connect: (signal) => open(location, signal),
      host: hostOf(location),
      path: pathOf(location),
      upgrade,
      shutdown,
      failure: (error) => connectionError(error, 'error dialing backend'),
    });
  };
}
