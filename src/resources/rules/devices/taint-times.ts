import type { DeviceTaint } from '../../../gen/stored/resource-v1.ts';
import { now } from '../../../meta/time.ts';

/** Sets the missing times of taints to now. Mutates. */
export function defaultTaintTimes(taints: readonly DeviceTaint[]): void {
  for (const taint of taints) taint.timeAdded ??= now();
}
