import { clientBackOff } from '../../async/timers.ts';
import { builtInResources } from '../../client/built-in-resources.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { Pod } from '../../controllers/resources.ts';
import type { PodGroup } from '../../gen/types/scheduling-v1alpha2.ts';
import { formatTime } from '../../meta/time.ts';
import { followOptional } from '../collections/optional-collection.ts';
import type { SchedulerOptions } from './scheduler-calls.ts';

const conditionType = 'PodGroupScheduled';

/** The key of the group that a pod is scheduled with: its namespace and name. */
function groupKey({ metadata, spec }: Pod): string | undefined {
  const name = spec.schedulingGroup?.podGroupName;
  return name === undefined ? undefined : `${metadata.namespace}/${name}`;
}

/** True if a pod is scheduled with a group. */
export function hasGroup(pod: Pod): boolean {
  return groupKey(pod) !== undefined;
}

/**
 * The groups of pods that are scheduled together. They are followed only after the first such pod.
 */
export class PodGroups {
  readonly #options: SchedulerOptions;
  readonly #onChange: () => void;
  readonly #signal: AbortSignal;
  /** The pods of each group that have not ended, by UID. */
  readonly #members = new Map<string, Map<string, Pod>>();
  readonly #keys = new Map<string, string>();
  #followed: ReturnType<PodGroups['follow']> | undefined;

  constructor(options: SchedulerOptions, onChange: () => void, signal: AbortSignal) {
    this.#options = options;
    this.#onChange = onChange;
    this.#signal = signal;
  }

  get #resource() {
    return builtInResources(this.#options.identifiers.set).podgroups;
  }

  private follow() {
    const { informers } = this.#options;
    const options = { informers, onChange: this.#onChange, onRefused: () => {}, backoff: clientBackOff };
    return followOptional(this.#resource, options, this.#signal);
  }

  /** True when the groups have been listed. The first call starts the list. */
  isReady(): boolean {
    this.#followed ??= this.follow();
    return this.#followed.isKnown;
  }

  /** Adds or updates a pod in its group. */
  add(pod: Pod): void {
    const key = groupKey(pod);
    if (key === undefined) return;
    const members = this.#members.get(key) ?? new Map<string, Pod>();
    this.#members.set(key, members);
    this.#keys.set(pod.metadata.uid, key);
    const isNew = !members.has(pod.metadata.uid);
    members.set(pod.metadata.uid, pod);
    // The pod may complete a group that waits.
    if (isNew) this.#onChange();
  }

  /** Removes a pod that has ended or is deleted. */
  remove(uid: string): void {
    const key = this.#keys.get(uid);
    if (key === undefined) return;
    this.#keys.delete(uid);
    const members = this.#members.get(key);
    members?.delete(uid);
    if (members?.size === 0) this.#members.delete(key);
  }

  /** The group of a pod, if it exists. */
  groupOf({ metadata, spec }: Pod): PodGroup | undefined {
    return this.#followed?.get(spec.schedulingGroup?.podGroupName ?? '', metadata.namespace);
  }

  /** The pods that are in the group of a pod. */
  membersOf(pod: Pod): readonly Pod[] {
    return [...(this.#members.get(groupKey(pod) ?? '')?.values() ?? [])];
  }

  /** Writes the status of a group. A group that was scheduled once stays scheduled. */
  async report({ metadata, status = {} }: PodGroup, problem: string | undefined): Promise<void> {
    const { conditions = [] } = status;
    const before = conditions.find(({ type }) => type === conditionType);
    if (before?.status === 'True' || (problem !== undefined && before?.message === problem)) return;
    const condition = {
      type: conditionType,
      status: problem === undefined ? 'True' : 'False',
      reason: problem === undefined ? 'Scheduled' : 'Unschedulable',
      message: problem ?? '',
      observedGeneration: metadata?.generation ?? 0,
      lastTransitionTime: formatTime(Date.now()),
    };
    const others = conditions.filter(({ type }) => type !== conditionType);
    const change = { metadata: { uid: metadata?.uid }, status: { conditions: [...others, condition] } };
    const { name = '', namespace = '' } = metadata ?? {};
    const target = { type: 'merge' as const, subresource: 'status', namespace, signal: this.#signal };
    const { client } = this.#options;
    await ignoreReasons(client.resource(this.#resource).patch(name, change, target), 'NotFound', 'Conflict');
  }
}

/** How many pods of a group must have nodes before any of them is bound. */
export function minCountOf({ spec }: PodGroup): number {
  return spec.schedulingPolicy.gang?.minCount ?? 0;
}
