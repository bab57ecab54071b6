import type { LocateConnect } from '../../../registry/definition/connect-location.ts';
import { type NodeAgentSettings, nodeAgentLocation } from './node-agent-location.ts';

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
