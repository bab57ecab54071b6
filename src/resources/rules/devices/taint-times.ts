import type { DeviceTaint } from '../../../gen/stored/resource-v1.ts';
import { now } from '../../../meta/time.ts';

/** Gives taints without a time the time of the write. Mutates. */
export function defaultTaintTimes(taints: readonly DeviceTaint[]): void {
  for (const taint of taints) taint.timeAdded ??= now();
}
