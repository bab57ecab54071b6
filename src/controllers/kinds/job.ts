import type { ApiObject } from '../../client/api-object.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { PodTemplate } from './pod.ts';
import type { Condition, LabelSelector, StoredMetadata } from './workload.ts';

/** A rule about failed pods, by the exit codes of their containers or by their conditions. */
export interface FailureRule {
  action: string;
  onExitCodes?: { containerName?: string; operator: string; values?: number[] };
  onPodConditions?: { type: string; status?: string }[];
}

/** The specification of a Job. */
interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  backoffLimit?: number;
  podFailurePolicy?: { rules?: FailureRule[] };
  selector?: LabelSelector;
  template: PodTemplate;
  completionMode?: string;
  suspend?: boolean;
}

/** The uids of pods that have ended and are not counted yet. */
export interface UncountedPods {
  succeeded?: string[];
  failed?: string[];
}

/** The status of a Job. */
export interface JobStatus {
  conditions?: Condition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  completedIndexes?: string;
  uncountedTerminatedPods?: UncountedPods;
}

/** A Job that a server has stored. */
export interface Job extends ApiObject {
  metadata: StoredMetadata;
  spec: JobSpec;
  status?: JobStatus;
}

/** The resource of Jobs. */
export const jobs: ResourceReference<Job> = { group: 'batch', version: 'v1', resource: 'jobs' };

/** The condition that says how a Job ended; undefined if it has not. */
export function finishOf({ status }: Job): Condition | undefined {
  return status?.conditions?.find(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  );
}
