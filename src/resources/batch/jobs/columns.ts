import type { CellContext, Column } from '../../../codec/table.ts';
import { humanDuration } from '../../../meta/human-duration.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { parseTime } from '../../../meta/time.ts';
import { countAt } from '../../columns/cell-text.ts';
import { age, name, text } from '../../columns/column.ts';
import { workloadWithSelector } from '../../columns/workload.ts';

/** The columns of jobs. */
export const columns: readonly Column[] = [
  name,
  text('Completions', 'Number of pods that have succeeded, of the required ones.', completions),
  text('Duration', 'Time from the start of the job to its completion, or to now.', duration),
  age,
  ...workloadWithSelector(),
];

/** `2/5`; without `completions` one pod of the parallel ones is enough: `0/1 of 3`. */
function completions(job: JsonObject): string {
  const spec = objectAt(job, 'spec');
  const succeeded = countAt(objectAt(job, 'status'), 'succeeded');
  if (isSet(spec, 'completions')) return `${succeeded}/${countAt(spec, 'completions')}`;
  const parallelism = numberAt(spec, 'parallelism') ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration(job: JsonObject, { nowMs }: CellContext): string {
  const status = objectAt(job, 'status');
  const start = parseTime(stringAt(status, 'startTime'));
  if (start === undefined) return '';
  return humanDuration((parseTime(stringAt(status, 'completionTime')) ?? nowMs) - start);
}
