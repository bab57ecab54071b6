import type { JsonObject } from '../../../meta/json-value.ts';
import { makeObjectAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { now } from '../../../meta/time.ts';

/** True if the condition Ready of a pod is true. */
export function isReady(pod: JsonObject): boolean {
  const ready = objectsAt(objectAt(pod, 'status'), 'conditions').find(({ type }) => type === 'Ready');
  return ready !== undefined && stringAt(ready, 'status') === 'True';
}

/**
 * Sets a condition of an object to true, in place. `lastTransitionTime` changes only if the
 * condition was not true.
 */
export function setTrue(object: JsonObject, type: string): void {
  const status = makeObjectAt(object, 'status');
  const conditions = objectsAt(status, 'conditions');
  const old = conditions.find((condition) => condition['type'] === type);
  const kept = old && stringAt(old, 'status') === 'True' ? (old['lastTransitionTime'] ?? null) : now();
  const condition: JsonObject = { type, status: 'True', lastProbeTime: null, lastTransitionTime: kept };
  status['conditions'] = old
    ? conditions.map((candidate) => (candidate === old ? condition : candidate))
    : [...conditions, condition];
}
