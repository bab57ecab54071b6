import type { Pod } from '../resources.ts';
import { podCondition } from '../../kinds/core/pod.ts';

/** A sample of a metric of one pod. `value` is in thousandths. */
export interface PodSample {
  readonly value: number;
  readonly timeMs: number;
  readonly windowMs: number;
}

/** Samples by the names of pods. */
export type PodSamples = ReadonlyMap<string, PodSample>;

/** How long pods that start are treated as such. */
export interface StartPeriods {
  readonly cpuInitializationMs: number;
  readonly initialReadinessMs: number;
  readonly nowMs: number;
}

/** The pods of a target as a metric sees them, by name. */
interface PodGroups {
  readonly readyCount: number;
  /** Pods whose samples do not count yet: they start, or are pending. */
  readonly unready: ReadonlySet<string>;
  /** The pods without a sample. */
  readonly missing: ReadonlySet<string>;
  /** Failed or being deleted: they count in no way. */
  readonly ignored: ReadonlySet<string>;
}

/** Groups pods by how their samples count, as kube-controller-manager does. */
export function groupPods(
  pods: readonly Pod[],
  samples: PodSamples,
  resource: string | undefined,
  periods: StartPeriods,
): PodGroups {
  const [unready, missing, ignored] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let readyCount = 0;
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata;
    const sample = samples.get(name);
    if (deletionTimestamp !== undefined || pod.status?.phase === 'Failed') ignored.add(name);
    else if (pod.status?.phase === 'Pending') unready.add(name);
    else if (!sample) missing.add(name);
    else if (resource === 'cpu' && isStarting(pod, sample, periods)) unready.add(name);
    else readyCount++;
  }
  return { readyCount, unready, missing, ignored };
}

/** A pod uses more CPU while it starts, which is no reason for more pods. */
function isStarting(pod: Pod, sample: PodSample, periods: StartPeriods): boolean {
  const ready = podCondition(pod, 'Ready');
  const startedMs = Date.parse(pod.status?.startTime ?? '');
  const changedMs = Date.parse(ready?.lastTransitionTime ?? '');
  if (!ready || Number.isNaN(startedMs)) return true;
  if (startedMs + periods.cpuInitializationMs > periods.nowMs) {
    return ready.status === 'False' || sample.timeMs < changedMs + sample.windowMs;
  }
  // It has never been ready, unless its readiness changed later.
  return ready.status === 'False' && startedMs + periods.initialReadinessMs > changedMs;
}
