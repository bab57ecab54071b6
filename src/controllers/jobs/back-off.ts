import type { Pod } from '../resources.ts';
import type { IndexFailures } from './index-failures.ts';

/** The delay after the first failure, which doubles with each. */
const initialDelayMs = 10_000;
const maximumDelayMs = 360_000;

/** The time until new pods may replace failed ones; 0 or less: now. */
export function backOffMs(ended: readonly Pod[], nowMs: number): number {
  const latest = ended.toSorted((a, b) => endOf(b) - endOf(a));
  const success = latest.findIndex(({ status }) => status?.phase === 'Succeeded');
  const failures = success < 0 ? latest.length : success;
  const [last] = latest;
  if (failures === 0 || !last) return 0;
  return endOf(last) + delayMs(failures) - nowMs;
}

function delayMs(failures: number): number {
  return Math.min(initialDelayMs * 2 ** (failures - 1), maximumDelayMs);
}

/** The end of the last container, as far as it is known. */
function endOf({ metadata, status }: Pod): number {
  const times = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  return Math.max(Date.parse(metadata.creationTimestamp), ...times.filter((time) => !Number.isNaN(time)));
}

/** The time until a new pod may replace the last one of an index; 0 or less: now. */
export function indexBackOffMs(failures: IndexFailures | undefined, nowMs: number): number {
  return failures?.last ? endOf(failures.last) + delayMs(failures.count) - nowMs : 0;
}
