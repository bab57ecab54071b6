import type { Socket } from 'node:net';
import { standInHosts } from '../kinds/core/stand-in-hosts.ts';
import { loadClientConfig } from '../outbound/config/load-client-config.ts';
import { dial, type DialTls } from '../outbound/dial.ts';
import type { ConnectLocation } from '../registry/definition/connect-definition.ts';

/** The one agent of all stand-in nodes of a control plane, on this machine. */
export interface StandInAgent {
  readonly address: string;
  readonly port: string;
  readonly tls: DialTls;
}

const timeoutMs = 5_000;

/** Reads the client config file of `--stand-in-agent-clientconfig`. Throws ClientConfigError. */
export async function readStandInAgent(file: string | undefined): Promise<StandInAgent | undefined> {
  if (file === undefined) return undefined;
  const { server, ca = '', cert = '', key = '' } = await loadClientConfig(file, { fixedCredentials: true });
  const { hostname, port } = new URL(server);
  return { address: hostname, port, tls: { ca, cert, key } };
}

/** True for the node agents of stand-in nodes. */
export function isStandIn({ host, isNodeAgent }: ConnectLocation): boolean {
  return isNodeAgent && host.endsWith(`.${standInHosts}`);
}

/**
 * Connects to the agent, whatever port the status of the node names: a writer of nodes gains no
 * access to other ports of the loopback interface. The handshake names the node.
 */
export function dialStandIn(
  { host }: ConnectLocation,
  { address, port, tls }: StandInAgent,
  signal: AbortSignal,
): Promise<Socket> {
  return dial(
    { host, port, tls },
    {
      allows: (found, foundPort) => found === address && foundPort === Number(port),
      lookUp: async () => [{ address, family: 4 }],
      timeoutMs,
      signal,
    },
  );
}
