import type { Node } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { readAnnotation } from '../agent-server/runs/read-annotation.ts';

/**
 * The states of a stand-in node that an annotation asks for: the agent of a `Lost` node reports
 * nothing any more, and runs no pods.
 */
type NodeOutcome = 'Ready' | 'NotReady' | 'Lost';

/** The outcomes as texts. */
export const nodeOutcomes: ReadonlySet<string> = new Set<NodeOutcome>(['Ready', 'NotReady', 'Lost']);

/** Reads the state that a node should have; by default it is ready. */
export function nodeOutcome(node: Node | undefined, identifiers: Identifiers): NodeOutcome {
  const asked = readAnnotation(node?.metadata.annotations, 'outcome', identifiers) ?? '';
  // The set has the members of the type.
  return nodeOutcomes.has(asked) ? (asked as NodeOutcome) : 'Ready';
}

/** True if the status of a node reports the outcome. */
export function reports({ status }: Node, outcome: NodeOutcome): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === (outcome === 'Ready' ? 'True' : 'False');
}
