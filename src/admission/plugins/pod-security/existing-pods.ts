import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../../../async/yield-if-long.ts';
import type { Pod } from '../../../gen/stored/core-v1.ts';
import { type LevelVersion, showLevelVersion } from './level-version.ts';

/** A stored Pod, which is decoded on each call. */
type StoredPod = () => Pod;

/** Lists the Pods of a namespace, in the order of their names. */
export type ListPods = (namespace: string, signal: AbortSignal) => Promise<readonly StoredPod[]>;

/** Limits of one check of a namespace, as in kube-apiserver. */
const mostPods = 3000;
const mostMs = 1000;

/** The Pods with the same violations. */
interface Offenders {
  readonly firstName: string;
  readonly count: number;
}

/**
 * The warnings about existing Pods of a namespace that violate the level that is now enforced.
 * `reasonsOf` returns the reasons for a Pod, '' if there are none. Pods of one controller are
 * alike, so the first of each comes before the others.
 */
export async function warningsOfExisting(
  namespace: string,
  enforced: LevelVersion,
  pods: readonly StoredPod[],
  reasonsOf: (pod: Pod) => string,
): Promise<readonly string[]> {
  const found = new Map<string, Offenders>();
  const controllers = new Set<string>();
  const alike: StoredPod[] = [];
  const startMs = performance.now();
  let checked = 0;
  const check = (pod: Pod): void => {
    checked++;
    const reasons = reasonsOf(pod);
    if (reasons !== '') found.set(reasons, withName(found.get(reasons), pod.metadata.name ?? ''));
  };
  const checkAll = async (list: readonly StoredPod[], isDue: (pod: Pod, stored: StoredPod) => boolean) => {
    let turnMs = performance.now();
    for (const stored of list) {
      const nowMs = performance.now();
      if (checked >= mostPods || nowMs - startMs > mostMs) return;
      const rest = yieldIfLong(turnMs);
      if (rest) {
        await rest;
        turnMs = performance.now();
      }
      const pod = stored();
      if (isDue(pod, stored)) check(pod);
    }
  };
  await checkAll(pods, (pod, stored) => {
    const controller = controllerOf(pod);
    const isDue = controller === '' || !controllers.has(controller);
    controllers.add(controller);
    if (!isDue) alike.push(stored);
    return isDue;
  });
  await checkAll(alike, () => true);
  return [
    ...(checked < pods.length
      ? [`new PodSecurity enforce level only checked against the first ${checked} of ${pods.length} existing pods`]
      : []),
    ...(found.size > 0
      ? [
          `existing pods in namespace ${JSON.stringify(namespace)} violate the new PodSecurity enforce level ` +
            JSON.stringify(showLevelVersion(enforced)),
        ]
      : []),
    ...[...found].map(([reasons, offenders]) => `${showOffenders(offenders)}: ${reasons}`).toSorted(),
  ];
}

function withName(known: Offenders | undefined, name: string): Offenders {
  if (!known) return { firstName: name, count: 1 };
  return { firstName: name < known.firstName ? name : known.firstName, count: known.count + 1 };
}

function showOffenders({ firstName, count }: Offenders): string {
  if (count === 1) return firstName;
  return `${firstName} (and ${count - 1} other ${count === 2 ? 'pod' : 'pods'})`;
}

/** The uid of the controller of a Pod; '' if it has none. */
function controllerOf(pod: Pod): string {
  return pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid ?? '';
}
