import { isReady } from '../../kinds/core/pod.ts';
import type { Pod } from '../resources.ts';
import { thousandthsOf } from './metric-amounts.ts';
import { groupPods, type PodSamples, type StartPeriods } from './group-pods.ts';

/** The shares by which a metric may be below or above its target without any effect. */
export interface Tolerances {
  readonly below: number;
  readonly above: number;
}

/** The pods of a target and how they count. */
export interface TargetPods {
  /** The wanted number of pods at present. */
  readonly current: number;
  readonly pods: readonly Pod[];
  readonly periods: StartPeriods;
  readonly tolerances: Tolerances;
}

/** A number of pods that a metric asks for, and its value now, in thousandths. */
export interface Recommendation {
  readonly replicas: number;
  readonly value: number;
  /** The share of the requests that is used, in percent. */
  readonly utilization?: number;
}

/** The use of all pods of a sample in relation to the target. */
interface Usage {
  readonly ratio: number;
  readonly value: number;
  readonly utilization?: number;
}

/** How samples become a usage, and the sample that stands for a pod without one. */
interface Measure {
  readonly resource?: string;
  readonly usageOf: (values: ReadonlyMap<string, number>) => Usage;
  /** The assumed value of a pod without a sample when others are below the target. */
  readonly fallbackOf: (pod: string) => number;
}

const noPods = 'no pods returned by selector while calculating replica count';

/** A target in percent of the requests of all containers, or of one. */
interface UtilizationTarget {
  readonly resource: string;
  readonly container?: string | undefined;
  readonly percent: number;
}

/** The number of pods for a share of their requests. Throws Error if it is unknown. */
export function countForUtilization(
  target: TargetPods,
  samples: PodSamples,
  wanted: UtilizationTarget,
): Recommendation {
  if (target.pods.length === 0) throw new Error(noPods);
  const { resource, percent } = wanted;
  let known: ReadonlyMap<string, number> | undefined;
  /** Read late: without any sample that counts, the samples are the error. */
  const requests = (): ReadonlyMap<string, number> => (known ??= requestsOf(target.pods, wanted));
  return countForSamples(target, samples, {
    resource,
    usageOf: (values) => utilizationOf(values, requests(), percent),
    fallbackOf: (pod) => Math.trunc(((requests().get(pod) ?? 0) * Math.max(100, percent)) / 100),
  });
}

/** The number of pods for an average, in thousandths. Throws Error if it is unknown. */
export function countForAverage(
  target: TargetPods,
  samples: PodSamples,
  wanted: number,
  resource?: string,
): Recommendation {
  if (target.pods.length === 0) throw new Error(noPods);
  return countForSamples(target, samples, {
    ...(resource === undefined ? {} : { resource }),
    usageOf: (values) => {
      const value = Math.trunc(sum(values.values()) / values.size);
      return { value, ratio: value / wanted };
    },
    fallbackOf: () => wanted,
  });
}

/** The number of pods for a value of the whole target. Throws Error if no pod is found. */
export function countForTotal(target: TargetPods, value: number, wanted: number): Recommendation {
  const { current, pods, tolerances } = target;
  const ratio = value / wanted;
  if (current === 0) return { replicas: Math.ceil(ratio), value };
  if (isTolerated(ratio, tolerances)) return { replicas: current, value };
  if (pods.length === 0) throw new Error(`unable to calculate ready pods: ${noPods}`);
  const readyCount = pods.filter((pod) => pod.status?.phase === 'Running' && isReady(pod)).length;
  return { replicas: Math.ceil(ratio * readyCount), value };
}

/** The number of pods among which a value is divided. `present` is how many there are. */
export function countForShare(
  value: number,
  wanted: number,
  { present, tolerances }: { readonly present: number; readonly tolerances: Tolerances },
): Recommendation {
  const isNear = isTolerated(value / (wanted * present), tolerances);
  // Without pods there is no share, as there is no division by zero.
  const share = present === 0 ? value : Math.ceil(value / present);
  return { replicas: isNear ? present : Math.ceil(value / wanted), value: share };
}

/**
 * Counts pods without samples cautiously: as if they used `fallbackOf` before fewer pods are
 * recommended, and nothing before more are. A recommendation that this reverses is dropped.
 */
function countForSamples(target: TargetPods, samples: PodSamples, measure: Measure): Recommendation {
  const { current, pods, periods, tolerances } = target;
  const { readyCount, unready, missing, ignored } = groupPods(pods, samples, measure.resource, periods);
  const counted = [...samples].filter(([name]) => !ignored.has(name) && !unready.has(name));
  const values = new Map(counted.map(([name, { value }]) => [name, value]));
  if (values.size === 0) throw new Error('did not receive metrics for any ready pods');
  const { ratio, value, utilization } = measure.usageOf(values);
  const seen = { value, ...(utilization === undefined ? {} : { utilization }) };
  const unchanged = { replicas: current, ...seen };
  const startsMore = unready.size > 0 && ratio > 1;
  if (!startsMore && missing.size === 0) {
    return isTolerated(ratio, tolerances) ? unchanged : { replicas: Math.ceil(ratio * readyCount), ...seen };
  }
  if (ratio !== 1) for (const name of missing) values.set(name, ratio < 1 ? measure.fallbackOf(name) : 0);
  if (startsMore) for (const name of unready) values.set(name, 0);
  const cautious = measure.usageOf(values).ratio;
  const isTurned = (ratio < 1 && cautious > 1) || (ratio > 1 && cautious < 1);
  if (isTurned || isTolerated(cautious, tolerances)) return unchanged;
  const replicas = Math.ceil(cautious * values.size);
  const isAgainst = (cautious < 1 && replicas > current) || (cautious > 1 && replicas < current);
  return isAgainst ? unchanged : { replicas, ...seen };
}

function isTolerated(ratio: number, { below, above }: Tolerances): boolean {
  return 1 - below <= ratio && ratio <= 1 + above;
}

function utilizationOf(
  values: ReadonlyMap<string, number>,
  requests: ReadonlyMap<string, number>,
  percent: number,
): Usage {
  const known = [...values].filter(([name]) => requests.has(name));
  const used = sum(known.map(([, value]) => value));
  const requested = sum(known.map(([name]) => requests.get(name) ?? 0));
  if (requested === 0) throw new Error('no metrics returned matched known pods');
  const utilization = Math.trunc((used * 100) / requested);
  return { utilization, ratio: utilization / percent, value: Math.trunc(used / known.length) };
}

/** The requests of pods in thousandths, by name. */
function requestsOf(pods: readonly Pod[], { resource, container }: UtilizationTarget): ReadonlyMap<string, number> {
  return new Map(
    pods.map(({ metadata: { name }, spec }) => {
      const counted = (spec.containers ?? []).filter((each) => container === undefined || each.name === container);
      if (counted.length === 0 && container !== undefined) {
        throw new Error(`container ${container} not found in Pod ${name}`);
      }
      const requests = counted.map((each) => {
        const request = each.resources?.requests?.[resource];
        if (request !== undefined) return thousandthsOf(request);
        throw new Error(`missing request for ${resource} in container ${each.name} of Pod ${name}`);
      });
      return [name, sum(requests)];
    }),
  );
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
