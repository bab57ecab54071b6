import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import type { Node } from '../resources.ts';
import type { Taint } from '../../gen/types/core-v1.ts';

/** How often taints are written while other clients change the node. */
const attemptLimit = 5;

/** The requests of `writeTaints`, as the client of nodes has them. */
interface NodeRequests {
  get(name: string, options: { readonly signal: AbortSignal }): Promise<Node>;
  patch(
    name: string,
    patch: unknown,
    options: { readonly type: 'merge'; readonly signal: AbortSignal },
  ): Promise<unknown>;
}

/**
 * Writes the taints that a node should have. If another client has changed the node, they are
 * computed again from its present state. A node that is gone is no error.
 */
export async function writeTaints(
  nodes: NodeRequests,
  node: Node,
  taintsOf: (node: Node) => readonly Taint[],
  signal: AbortSignal,
): Promise<void> {
  const { name, uid } = node.metadata;
  let present = node;
  for (let attempt = 1; present.metadata.uid === uid; attempt++) {
    const { resourceVersion } = present.metadata;
    try {
      const patch = { metadata: { resourceVersion }, spec: { taints: taintsOf(present) } };
      await nodes.patch(name, patch, { type: 'merge', signal });
      return;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return;
      if (!hasReason(error, 'Conflict')) throw error;
      // The change of the node, or the next period, leads to another attempt.
      if (attempt === attemptLimit) return;
    }
    const found = await ignoreReasons(nodes.get(name, { signal }), 'NotFound');
    if (!found) return;
    present = found;
  }
}
