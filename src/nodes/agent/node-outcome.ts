import type { Node } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { readAnnotation } from '../agent-server/runs/read-annotation.ts';

/**
 * The states of a stand-in node that an annotation asks for. The agent of a `Lost` node reports
 * nothing any more, and runs no pods; the state of a `Staged` one is written by stages alone.
 */
export type NodeOutcome = 'Ready' | 'NotReady' | 'MemoryPressure' | 'DiskPressure' | 'PIDPressure' | 'Lost' | 'Staged';

/** The outcomes as texts. */
export const nodeOutcomes: ReadonlySet<string> = new Set<NodeOutcome>([
  'Ready',
  'NotReady',
  'MemoryPressure',
  'DiskPressure',
  'PIDPressure',
  'Lost',
  'Staged',
]);

/** The conditions that a node agent reports. */
export const reportedConditions = Object.freeze(['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'] as const);

/** Reads the state that a node should have; by default it is ready. */
export function nodeOutcome(node: Node | undefined, identifiers: Identifiers): NodeOutcome {
  const asked = readAnnotation(node?.metadata.annotations, 'outcome', identifiers) ?? '';
  // The set has the members of the type.
  return nodeOutcomes.has(asked) ? (asked as NodeOutcome) : 'Ready';
}

/** The state of a condition in an outcome. */
export function conditionIn(outcome: NodeOutcome, type: (typeof reportedConditions)[number]): 'True' | 'False' {
  if (type === 'Ready') return outcome === 'NotReady' || outcome === 'Lost' ? 'False' : 'True';
  return outcome === type ? 'True' : 'False';
}

/** False for outcomes with which the agent does not report the state of the node. */
export function isReported(outcome: NodeOutcome): boolean {
  return outcome !== 'Lost' && outcome !== 'Staged';
}

/** True if the status of a node has the conditions of the outcome. */
export function reports({ status }: Node, outcome: NodeOutcome): boolean {
  return reportedConditions.every((type) => {
    const present = status?.conditions?.find((condition) => condition.type === type);
    return present?.status === conditionIn(outcome, type);
  });
}
