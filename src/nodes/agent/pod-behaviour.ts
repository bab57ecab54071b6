import type { Node, Pod } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The annotations of pods that stand-in nodes follow. */
interface BehaviourNames {
  /** `Running`, `NotReady`, `Succeeded` or `Failed`. */
  readonly outcome: string;
  /** The same, in the annotations of a node: of its pods that say nothing. */
  readonly podOutcome: string;
  /** The text that a failed pod reports. */
  readonly message: string;
  /** The seconds that a deleted pod takes to end; its grace period is the limit. */
  readonly terminationSeconds: string;
}

/** The states that a stand-in node can report of a pod. */
export type PodOutcome = 'Running' | 'NotReady' | 'Succeeded' | 'Failed';

/** The outcomes as texts. */
export const podOutcomes: ReadonlySet<string> = new Set<PodOutcome>(['Running', 'NotReady', 'Succeeded', 'Failed']);

function behaviourNames({ labelDomain }: Identifiers): BehaviourNames {
  const domain = `stand-in.${labelDomain}`;
  return {
    outcome: `${domain}/outcome`,
    podOutcome: `${domain}/pod-outcome`,
    message: `${domain}/message`,
    terminationSeconds: `${domain}/termination-seconds`,
  };
}

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
  const names = behaviourNames(identifiers);
  const { annotations = {} } = metadata;
  const asked = annotations[names.outcome] ?? node?.metadata.annotations?.[names.podOutcome] ?? '';
  const usual = (spec.restartPolicy ?? 'Always') === 'Always' ? 'Running' : 'Succeeded';
  const seconds = Number(annotations[names.terminationSeconds] ?? 0) || 0;
  return {
    // The set has the members of the type.
    outcome: podOutcomes.has(asked) ? (asked as PodOutcome) : usual,
    message: annotations[names.message] ?? '',
    terminationMs: 1000 * Math.max(0, Math.min(seconds, metadata.deletionGracePeriodSeconds ?? seconds)),
  };
}
