import type { Job } from '../../gen/types/batch-v1.ts';
import { finishOf } from '../../kinds/batch/job.ts';

/** The time at which a finished Job is deleted; undefined for one that is not. */
export function expiryMs(job: Job): number | undefined {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  if (seconds === undefined || job.metadata?.deletionTimestamp) return undefined;
  const atMs = Date.parse(finishOf(job)?.lastTransitionTime ?? '');
  return Number.isNaN(atMs) ? undefined : atMs + seconds * 1000;
}
