import { type JsonObject, setOwn } from '../../../meta/json-value.ts';
import { matchRequirements } from '../../../meta/label-requirement.ts';
import { deletionTimestampOf, generationOf, labelsOf, nameOf, resourceVersionOf } from '../../../meta/object-meta.ts';
import { isSet, makeObjectAt, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { now } from '../../../meta/time.ts';
import type { InternalClient } from '../../../registry/definition/internal-client.ts';
import type { DeleteOptions } from '../../../registry/definition/registry.ts';
import type { SubresourceCreate } from '../../../registry/definition/strategy.ts';
import { StatusError } from '../../../status/status-error.ts';
import { requirementsOf } from '../../rules/fields/selector.ts';
import { success } from '../../rules/fields/success.ts';
import { isReady } from './conditions.ts';
import { evictionOptions } from './eviction-options.ts';

/** How many times an eviction retries because the pod changed. */
const attempts = 20;

/** The `eviction` sub-resource: deletes a pod if its disruption budget allows that. */
export const evictPod: SubresourceCreate = async (eviction, objects, { name, dryRun, identifiers }) => {
  const options = evictionOptions(eviction, { dryRun, apiDomain: identifiers.apiDomain });
  const pods = objects('', 'pods', options.dryRun);
  for (let left = attempts; ; left--) {
    const pod = await pods.get(name);
    if (!needsNoBudget(pod)) {
      await evictWithin(objects('policy', 'poddisruptionbudgets', options.dryRun), pods, pod, options);
      return success();
    }
    try {
      const starting = stringAt(objectAt(pod, 'status'), 'phase') === 'Pending' && deletionTimestampOf(pod) === '';
      await pods.delete(name, starting ? asSeen(options, pod) : options);
      return success();
    } catch (error) {
      if (!isConflict(error) || namesVersion(options) || left <= 1) throw error;
    }
  }
};

/**
 * True if a pod may be deleted without a disruption budget: it has ended, has not started, or is
 * being deleted.
 */
function needsNoBudget(pod: JsonObject): boolean {
  const phase = stringAt(objectAt(pod, 'status'), 'phase');
  return ['Succeeded', 'Failed', 'Pending'].includes(phase) || deletionTimestampOf(pod) !== '';
}

async function evictWithin(
  budgets: InternalClient,
  pods: InternalClient,
  pod: JsonObject,
  options: DeleteOptions,
): Promise<void> {
  const name = nameOf(pod);
  const [budget, ...others] = await budgetsOf(budgets, pod);
  if (others.length > 0) throw tooManyBudgets();
  if (!budget) return pods.delete(name, options);
  // A pod that is not ready costs no disruption if enough other pods are healthy.
  if (isReady(pod) || !isMet(budget)) {
    await budgets.change(nameOf(budget), (live) => spend(live, name));
    return pods.delete(name, options);
  }
  try {
    await pods.delete(name, asSeen(options, pod));
  } catch (error) {
    throw isConflict(error) && !namesVersion(options) ? stillProcessed(nameOf(budget)) : error;
  }
}

/** The disruption budgets that select the pod. Budgets with an invalid selector are skipped. */
async function budgetsOf(budgets: InternalClient, pod: JsonObject): Promise<readonly JsonObject[]> {
  const labels = labelsOf(pod);
  const found: JsonObject[] = [];
  if (Object.keys(labels).length === 0) return found;
  for await (const budget of budgets.list()) {
    const spec = objectAt(budget, 'spec');
    const requirements = isSet(spec, 'selector') ? requirementsOf(objectAt(spec, 'selector')) : undefined;
    if (requirements && matchRequirements(requirements)(labels)) found.push(budget);
  }
  return found;
}

function isMet(budget: JsonObject): boolean {
  const status = objectAt(budget, 'status');
  const desired = numberAt(status, 'desiredHealthy') ?? 0;
  return desired > 0 && (numberAt(status, 'currentHealthy') ?? 0) >= desired;
}

/** How many evicted pods a budget may list before its controller has processed them. */
const disruptedPodsLimit = 2000;

/**
 * Takes one disruption from a budget, in place, and adds the pod to `disruptedPods`. Throws 403 and
 * 429 if none is allowed.
 */
function spend(budget: JsonObject, pod: string): void {
  const name = nameOf(budget);
  const status = makeObjectAt(budget, 'status');
  if ((numberAt(status, 'observedGeneration') ?? 0) < generationOf(budget)) throw stillProcessed(name);
  const allowed = numberAt(status, 'disruptionsAllowed') ?? 0;
  if (allowed < 0) throw refused(name, 'pdb disruptions allowed is negative');
  const disrupted = makeObjectAt(status, 'disruptedPods');
  if (Object.keys(disrupted).length > disruptedPodsLimit) {
    throw refused(name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (allowed === 0) throw notAllowed(name, status);
  status['disruptionsAllowed'] = allowed - 1;
  if (allowed === 1) noteInsufficient(budget, status);
  setOwn(disrupted, pod, now());
}

/** Sets the budget's condition DisruptionAllowed to false, in place. */
function noteInsufficient(budget: JsonObject, status: JsonObject): void {
  const type = 'DisruptionAllowed';
  const conditions = objectsAt(status, 'conditions');
  const old = conditions.find((condition) => condition['type'] === type);
  const time = old && stringAt(old, 'status') === 'False' ? stringAt(old, 'lastTransitionTime') : now();
  const condition: JsonObject = {
    type,
    status: 'False',
    observedGeneration: generationOf(budget),
    lastTransitionTime: time,
    reason: 'InsufficientPods',
    message: '',
  };
  status['conditions'] = [...conditions.filter((candidate) => candidate !== old), condition];
}

/** Adds the pod's resourceVersion as a precondition, unless the options have one. */
function asSeen(options: DeleteOptions, pod: JsonObject): DeleteOptions {
  if (namesVersion(options)) return options;
  return { ...options, preconditions: { ...options.preconditions, resourceVersion: resourceVersionOf(pod) } };
}

function namesVersion({ preconditions }: DeleteOptions): boolean {
  return preconditions?.resourceVersion !== undefined;
}

function isConflict(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'Conflict';
}

function tooManyBudgets(): StatusError {
  const message = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
  return new StatusError('InternalError', message);
}

function refused(name: string, why: string): StatusError {
  return new StatusError('Forbidden', `poddisruptionbudget.policy "${name}" is forbidden: ${why}`, {
    details: { name, group: 'policy', kind: 'poddisruptionbudget' },
  });
}

const violation = "Cannot evict pod as it would violate the pod's disruption budget.";

function tooMany(message: string, retryAfterSeconds?: number): StatusError {
  return new StatusError('TooManyRequests', violation, {
    details: {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  });
}

function notAllowed(name: string, status: JsonObject): StatusError {
  const needed = numberAt(status, 'desiredHealthy') ?? 0;
  const healthy = numberAt(status, 'currentHealthy') ?? 0;
  return tooMany(`The disruption budget ${name} needs ${needed} healthy pods and has ${healthy} currently`);
}

/** The error if the controller has not yet observed the current budget or pod. */
function stillProcessed(name: string): StatusError {
  return tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
}
