import type { Node, Pod } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { readAnnotation } from '../agent-server/runs/read-annotation.ts';

/**
 * The states that a stand-in node can report of a pod. `Staged` is none of them: the status of such
 * a pod is written by stages alone.
 */
export type PodOutcome =
  | 'Running'
  | 'NotReady'
  | 'Succeeded'
  | 'Failed'
  | 'Evicted'
  | 'CrashLoopBackOff'
  | 'OOMKilled'
  | 'ErrImagePull'
  | 'ImagePullBackOff'
  | 'ContainerCreating'
  | 'CreateContainerConfigError'
  | 'Staged';

/** The outcomes as texts. */
export const podOutcomes: ReadonlySet<string> = new Set<PodOutcome>([
  'Running',
  'NotReady',
  'Succeeded',
  'Failed',
  'Evicted',
  'CrashLoopBackOff',
  'OOMKilled',
  'ErrImagePull',
  'ImagePullBackOff',
  'ContainerCreating',
  'CreateContainerConfigError',
  'Staged',
]);

/** The behaviour of a pod on a stand-in node. */
export interface PodBehaviour {
  readonly outcome: PodOutcome;
  readonly message: string;
  readonly terminationMs: number;
  /** The time from the arrival on the node until the containers start. */
  readonly startMs: number;
  /** The time from the start of the containers until they are ready. */
  readonly readyMs: number;
  /** The time from the start of the containers until they end, for those that end. */
  readonly runMs: number;
  /** Runs of the containers that end with an error and are followed by another one. */
  readonly restarts: number;
  /** The exit code of these runs, and of a failed pod. */
  readonly exitCode: number;
  /** The delay before the second restart, which doubles with each further one. */
  readonly backOffMs: number;
}

/** The outcomes whose containers are restarted for ever. */
const endless: ReadonlySet<PodOutcome> = new Set(['CrashLoopBackOff', 'OOMKilled']);

/** How long a container runs that crashes, unless an annotation says so. */
const crashMs = 1_000;

const usualBackOffMs = 10_000;
const killedExitCode = 137;

/**
 * Reads the behaviour of a pod from its annotations, or from the annotation of its node. Without
 * any a pod that is restarted runs, and another, such as the pod of a Job, succeeds. Values that
 * cannot be read count as missing.
 */
export function behaviourOf(
  { metadata, spec }: Pod,
  node: Pick<Node, 'metadata'> | undefined,
  identifiers: Identifiers,
): PodBehaviour {
  const read = (name: string): string | undefined => readAnnotation(metadata.annotations, name, identifiers);
  const asked = read('outcome') ?? readAnnotation(node?.metadata.annotations, 'pod-outcome', identifiers) ?? '';
  const usual = (spec.restartPolicy ?? 'Always') === 'Always' ? 'Running' : 'Succeeded';
  // The set has the members of the type.
  const outcome = podOutcomes.has(asked) ? (asked as PodOutcome) : usual;
  const restarts = endless.has(outcome) ? Number.POSITIVE_INFINITY : (integerOf(read('restarts')) ?? 0);
  const terminationMs = millisecondsOf(read('termination-seconds')) ?? 0;
  const graceMs = 1000 * (metadata.deletionGracePeriodSeconds ?? Number.POSITIVE_INFINITY);
  return {
    outcome,
    message: read('message') ?? '',
    terminationMs: Math.min(terminationMs, graceMs),
    startMs: millisecondsOf(read('start-seconds')) ?? 0,
    readyMs: millisecondsOf(read('ready-seconds')) ?? 0,
    runMs: millisecondsOf(read('run-seconds')) ?? (restarts > 0 ? crashMs : 0),
    restarts,
    exitCode: outcome === 'OOMKilled' ? killedExitCode : (exitCodeOf(read('exit-code')) ?? 1),
    backOffMs: millisecondsOf(read('back-off-seconds')) ?? usualBackOffMs,
  };
}

function millisecondsOf(text = ''): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) ? 1000 * Number(text) : undefined;
}

function integerOf(text = ''): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** An exit code of an error. */
function exitCodeOf(text: string | undefined): number | undefined {
  const code = integerOf(text);
  return code !== undefined && code >= 1 && code <= 255 ? code : undefined;
}
