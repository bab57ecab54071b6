import type { buildConnector } from './http-agent.ts';
import type { OpenTunnel } from './proxy/send-connect.ts';

type Connector = ReturnType<typeof buildConnector>;

/** The timeout of a tunnel, without the TLS handshake with the server behind it. */
const tunnelTimeoutMs = 10_000;

/** A connector through tunnels. `connect` adds TLS if the server has it. */
export function tunnelConnector(open: OpenTunnel, connect: Connector): Connector {
  return (target, connected) => {
    const { hostname, port, protocol } = target;
    const isTls = protocol === 'https:';
    const server = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (isTls ? 443 : 80) };
    open(server, AbortSignal.timeout(tunnelTimeoutMs)).then(
      (httpSocket) => (isTls ? connect({ ...target, httpSocket }, connected) : connected(null, httpSocket)),
      (error: Error) => connected(error, null),
    );
  };
}
