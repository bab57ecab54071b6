import type { Node, Pod } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { readAnnotation } from '../agent-server/runs/read-annotation.ts';

/** The states that a stand-in node can report of a pod. */
export type PodOutcome = 'Running' | 'NotReady' | 'Succeeded' | 'Failed';

/** The outcomes as texts. */
export const podOutcomes: ReadonlySet<string> = new Set<PodOutcome>(['Running', 'NotReady', 'Succeeded', 'Failed']);

/** The behaviour of a pod on a stand-in node. */
export interface PodBehaviour {
  readonly outcome: PodOutcome;
  readonly message: string;
  readonly terminationMs: number;
}

/**
 * Reads the behaviour of a pod from its annotations, or from the annotation of its node. Without
 * any a pod that is restarted runs, and another, such as the pod of a Job, succeeds.
 */
export function behaviourOf(
  { metadata, spec }: Pod,
  node: Pick<Node, 'metadata'> | undefined,
  identifiers: Identifiers,
): PodBehaviour {
  const read = (name: string): string | undefined => readAnnotation(metadata.annotations, name, identifiers);
  const asked = read('outcome') ?? readAnnotation(node?.metadata.annotations, 'pod-outcome', identifiers) ?? '';
  const usual = (spec.restartPolicy ?? 'Always') === 'Always' ? 'Running' : 'Succeeded';
  const seconds = Number(read('termination-seconds') ?? 0) || 0;
  return {
    // The set has the members of the type.
    outcome: podOutcomes.has(asked) ? (asked as PodOutcome) : usual,
    message: read('message') ?? '',
    terminationMs: 1000 * Math.max(0, Math.min(seconds, metadata.deletionGracePeriodSeconds ?? seconds)),
  };
}
