import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';

/**
 * Takes out of a status the generations that its conditions observed, for which v2beta1 and v2beta2
 * have no field. Returns them with the types of their conditions.
 */
export function splitObserved(autoscaler: JsonObject): {
  readonly observed: JsonObject[];
  readonly rest: { readonly status?: JsonObject };
} {
  const status = objectAt(autoscaler, 'status');
  const conditions = objectsAt(status, 'conditions');
  const observing = conditions.filter((condition) => isSet(condition, 'observedGeneration'));
  if (observing.length === 0) return { observed: [], rest: {} };
  return {
    observed: observing.map(({ type = '', observedGeneration = 0 }) => ({ type, observedGeneration })),
    rest: { status: { ...status, conditions: conditions.map(unobserved) } },
  };
}

function unobserved(condition: JsonObject): JsonObject {
  const { observedGeneration: _, ...rest } = condition;
  return rest;
}

/** Returns the status with the generations that are kept for its conditions. */
export function joinObserved(status: JsonObject, observed: readonly JsonObject[]): JsonObject {
  if (observed.length === 0 || !isSet(status, 'conditions')) return status;
  const generations = new Map(observed.map((one) => [stringAt(one, 'type'), one['observedGeneration']]));
  const conditions = objectsAt(status, 'conditions').map((condition) => {
    const observedGeneration = generations.get(stringAt(condition, 'type'));
    const isInteger = Number.isInteger(observedGeneration) || typeof observedGeneration === 'bigint';
    return observedGeneration !== undefined && isInteger ? { ...condition, observedGeneration } : condition;
  });
  return { ...status, conditions };
}
