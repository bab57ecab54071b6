import type { Node, Pod } from '../../controllers/resources.ts';
import type { ClusterState } from './cluster-state.ts';
import { nodeObstacles, type ObstacleOptions } from './node-obstacles.ts';
import { nodeScore } from './node-score.ts';

/** The node of a pod, or why there is none. */
export type NodeChoice =
  | { readonly node: string }
  | {
      /** A sentence as in the Event. */
      readonly message: string;
      /** The nodes where the end of other pods may make room. */
      readonly candidates: readonly Node[];
      readonly count: number;
    };

/**
 * Fitting nodes that are compared. A scheduler of thousands of nodes would otherwise be as slow as
 * the product of nodes and pods.
 */
const comparedNodes = 100;

/**
 * Chooses the node for a pod: of the first nodes on which it fits, beginning at `start`, the
 * preferred one, or of equal ones that with the most room. A nominated node wins if it fits.
 */
export function chooseNode(
  pod: Pod,
  state: ClusterState,
  options: ObstacleOptions & { readonly start: number },
): NodeChoice {
  const { nodes } = state;
  const obstacleOf = nodeObstacles(pod, state, options);
  const scoreOf = nodeScore(pod, state);
  const nominated = state.node(pod.status?.nominatedNodeName ?? '');
  if (nominated && !obstacleOf(nominated)) return { node: nominated.metadata.name };
  const reasons = new Map<string, number>();
  const candidates: Node[] = [];
  let best: { readonly node: string; readonly score: number } | undefined;
  for (let index = 0, found = 0; index < nodes.length && found < comparedNodes; index++) {
    const node = nodes[(options.start + index) % nodes.length];
    if (!node) continue;
    const obstacle = obstacleOf(node);
    if (!obstacle) {
      found++;
      const score = scoreOf(node);
      if (!best || score > best.score) best = { node: node.metadata.name, score };
    } else if (!best) {
      for (const reason of obstacle.reasons) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      if (obstacle.removable) candidates.push(node);
    }
  }
  return best ? { node: best.node } : { message: messageOf(nodes.length, reasons), candidates, count: nodes.length };
}

/** The choice for a pod that fits on no node, for a reason that counts for each of them. */
export function noNode(problem: string, count: number): NodeChoice {
  return { message: messageOf(count, new Map([[problem, count]])), candidates: [], count };
}

/** The sentence about all nodes, with the number of nodes for each reason. */
export function messageOf(count: number, reasons: ReadonlyMap<string, number>): string {
  if (count === 0) return 'no nodes available to schedule pods';
  const parts = [...reasons].map(([reason, times]) => `${times} ${reason}`).toSorted();
  return `0/${count} nodes are available: ${parts.join(', ')}.`;
}
