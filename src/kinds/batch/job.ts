import type { Job, JobCondition } from '../../gen/types/batch-v1.ts';

/** The condition that says how a Job ended; undefined if it has not. */
export function finishOf({ status }: Job): JobCondition | undefined {
  return status?.conditions?.find(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  );
}
