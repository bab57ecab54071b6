import type { Job, Pod } from '../resources.ts';
import type { JobCounts } from './track-pods.ts';

/** The state that a plan depends on. */
export interface JobState {
  readonly job: Job;
  /** The pods that the Job controls. */
  readonly pods: readonly Pod[];
  readonly counts: JobCounts;
  /** The annotation of a pod with its index. */
  readonly indexAnnotation: string;
  /** The annotation of a pod with the earlier failures of its index. */
  readonly failuresAnnotation: string;
  readonly costAnnotation: string;
  /** The minor number of the server's release, for the messages of Events. */
  readonly minor?: number;
  readonly nowMs: number;
}

/** The least of the positive times; undefined if there is none. */
export function earliest(...times: readonly number[]): number | undefined {
  const ahead = times.filter((ms) => ms > 0);
  return ahead.length > 0 ? Math.min(...ahead) : undefined;
}
