import type { Node } from '../../../gen/types/core-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { LocateConnect } from '../../../registry/definition/connect-definition.ts';
import { StatusError } from '../../../status/status-error.ts';

/** The types of node addresses. */
export const nodeAddressTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'] as const;

/** A type of node address. */
export type NodeAddressType = (typeof nodeAddressTypes)[number];

/** How node agents are reached. */
export interface NodeAgentSettings {
  /** The types of addresses, the preferred one first. */
  readonly preferredAddressTypes: readonly NodeAddressType[];
  /** The port of node agents that do not report theirs. */
  readonly port: number;
  readonly https: boolean;
}

/** The address of a node agent. */
interface NodeAgentLocation {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: string;
}

/** Finds the node agent of a node by its status. Throws 500 if no address has a preferred type. */
export function nodeAgentLocation(node: JsonObject, settings: NodeAgentSettings): NodeAgentLocation {
  const { addresses = [], daemonEndpoints } = (node as Node).status ?? {};
  const [first] = settings.preferredAddressTypes.flatMap((type) => addresses.filter((one) => one.type === type));
  if (!first) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw new StatusError('', `no preferred addresses found; known addresses: [${known}]`);
  }
  const reported = daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  const port = String(reported > 0 ? reported : settings.port);
  return { scheme: settings.https ? 'https' : 'http', host: first.address, port };
}

/**
 * Locates the server behind `nodes/proxy`: the node agent, or another port of the node. The scheme
 * in the URL counts for another port only.
 */
export function locateNode(settings: NodeAgentSettings): LocateConnect {
  return async ({ object, scheme, port }) => {
    const agent = nodeAgentLocation(object, settings);
    if (port === '' || port === agent.port) return { ...agent, path: '', query: '', isNodeAgent: true };
    const other = scheme === 'https' ? 'https' : 'http';
    return { scheme: other, host: agent.host, port, path: '', query: '', isNodeAgent: false };
  };
}
