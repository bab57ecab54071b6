import type { CellContext, Column } from '../../../codec/table.ts';
import type { Job } from '../../../gen/stored/batch-v1.ts';
import { humanDuration } from '../../../meta/human-duration.ts';
import { parseTime } from '../../../meta/time.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { workloadWithSelector } from '../../columns/workload.ts';
import { statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';

const columns: readonly Column<Job>[] = [
  nameColumn,
  textColumn('Completions', 'Number of pods that have succeeded, of the required ones.', completionsOf),
  textColumn('Duration', 'Time from the start of the job to its completion, or to now.', durationOf),
  ageColumn,
  ...workloadWithSelector,
];

/** `2/5`; without `completions` one pod of the parallel ones is enough: `0/1 of 3`. */
function completionsOf({ spec: { completions, parallelism = 0 }, status: { succeeded = 0 } }: Job): string {
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf({ status: { startTime = '', completionTime = '' } }: Job, { nowMs }: CellContext): string {
  const start = parseTime(startTime);
  return start === undefined ? '' : humanDuration((parseTime(completionTime) ?? nowMs) - start);
}

/** The resource `jobs` of the group `batch`. */
export const jobs = builtIn<Job>({
  group: 'batch',
  resource: 'jobs',
  kind: 'Job',
  namespaced: true,
  versions: { v1: {} },
  categories: ['all'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
