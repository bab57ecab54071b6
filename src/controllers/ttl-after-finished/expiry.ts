import type { Job } from '../../gen/types/batch-v1.ts';

/** The time at which a finished Job is deleted; undefined for one that is not. */
export function expiryMs({ metadata, spec, status }: Job): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished;
  if (seconds === undefined || metadata?.deletionTimestamp) return undefined;
  const end = status?.conditions?.find(
    (each) => ['Complete', 'Failed'].includes(each.type ?? '') && each.status === 'True',
  );
  const atMs = Date.parse(end?.lastTransitionTime ?? '');
  return Number.isNaN(atMs) ? undefined : atMs + seconds * 1000;
}
