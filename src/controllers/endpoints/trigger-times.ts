import { objectKey } from '../../client/informers/indexer.ts';
import { formatTime } from '../../meta/time.ts';
import type { Pod, Service } from '../resources.ts';
import { podCondition } from '../../kinds/core/pod.ts';

/** The times of a Service and its pods at the last call. */
interface SeenTimes {
  readonly service: number;
  readonly pods: ReadonlyMap<string, number>;
}

/**
 * Finds the times of changes that endpoints follow. Clients that program networks measure with
 * them how long it takes from the change of a pod to its effect.
 */
export class TriggerTimes {
  readonly #seen = new Map<string, SeenTimes>();

  /** The earliest change since the last call, in milliseconds; undefined if there is none. */
  next(service: Service, pods: readonly Pod[]): number | undefined {
    const { name, namespace, creationTimestamp } = service.metadata;
    const key = objectKey(name, namespace);
    const before = this.#seen.get(key);
    const times = new Map(pods.map((pod) => [pod.metadata.name, readySince(pod)]));
    const created = Date.parse(creationTimestamp);
    this.#seen.set(key, { service: created, pods: times });
    const changed = [...times].filter(([pod, time]) => time > (before?.pods.get(pod) ?? 0)).map(([, time]) => time);
    if (created > (before?.service ?? 0)) changed.push(created);
    return changed.length > 0 ? Math.min(...changed) : undefined;
  }

  /** Forgets a Service that is gone. */
  forget(name: string, namespace: string): void {
    this.#seen.delete(objectKey(name, namespace));
  }
}

/** Annotations with the time of a change, or without it if there was none. */
export function stamped(
  annotations: Readonly<Record<string, string>>,
  annotation: string,
  changedMs: number | undefined,
): Record<string, string> {
  const { [annotation]: _, ...others } = annotations;
  return changedMs === undefined ? others : { ...others, [annotation]: formatTime(changedMs) };
}

/** The last time at which a pod became ready, or stopped to be; 0 if it is not known. */
function readySince(pod: Pod): number {
  return Date.parse(podCondition(pod, 'Ready')?.lastTransitionTime ?? '') || 0;
}
