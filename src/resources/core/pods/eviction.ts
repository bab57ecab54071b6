import type { Pod } from '../../../gen/stored/core-v1.ts';
import type { Eviction, PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../../gen/stored/policy-v1.ts';
import { hasEnded, isReady } from '../../../kinds/core/pod.ts';
import { setOwn } from '../../../meta/json-value.ts';
import { matchRequirements } from '../../../meta/label-requirement.ts';
import { generationOf, nameOf } from '../../../meta/object-meta.ts';
import { now } from '../../../meta/time.ts';
import type { InternalClient } from '../../../registry/definition/internal-client.ts';
import type { DeleteOptions } from '../../../registry/definition/registry.ts';
import type { SubresourceCreate } from '../../../registry/definition/strategy.ts';
import { StatusError, badRequest, invalidObject } from '../../../status/status-error.ts';
import { requirementsOf } from '../../rules/fields/selector.ts';
import { success } from '../../rules/fields/field-checks.ts';
import type { DeleteOptions as SentOptions } from '../../../gen/stored/meta-v1.ts';
import { type FieldError, invalid, notSupported } from '../../../status/field-error.ts';

const policies = ['Foreground', 'Background', 'Orphan'] as const;

/**
 * The delete options of an Eviction, from the options that were sent and the dry run of the
 * request. Throws 400 and 422.
 */
function evictionOptions(
  sent: SentOptions,
  request: { readonly dryRun: boolean; readonly apiDomain: string },
): DeleteOptions {
  const { propagationPolicy, gracePeriodSeconds: seconds, orphanDependents, preconditions } = sent;
  const errors = optionErrors(sent);
  if (errors.length > 0) {
    throw invalidObject({ group: `meta.${request.apiDomain}`, resource: 'DeleteOptions' }, '', errors);
  }
  const known = policies.find((candidate) => candidate === propagationPolicy);
  return {
    dryRun: dryRunOf(sent.dryRun ?? [], request.dryRun),
    ...(seconds === undefined ? {} : { gracePeriodSeconds: Number(seconds) }),
    ...(known ? { propagationPolicy: known } : {}),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    preconditions: { ...preconditions },
  };
}

function optionErrors({ propagationPolicy: policy = '', orphanDependents, dryRun = [] }: SentOptions): FieldError[] {
  return [
    ...(orphanDependents !== undefined && policy !== ''
      ? [invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set')]
      : []),
    ...(policy === '' || policies.some((known) => known === policy)
      ? []
      : [notSupported('propagationPolicy', policy, [...policies, 'nil'])]),
    ...(dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])]),
  ];
}

/** Query and body may both request a dry run. Throws 400 if they disagree. */
function dryRunOf(sent: readonly string[], requested: boolean): boolean {
  if (requested && sent.length > 0 && sent.join() !== 'All') {
    throw badRequest(`Non-matching dry-run options in request and content: [All] and [${sent.join(' ')}]`);
  }
  return requested || sent.length > 0;
}

/** How many times an eviction retries because the pod changed. */
const attempts = 20;

/** The `eviction` sub-resource: deletes a pod if its disruption budget allows that. */
export const evictPod: SubresourceCreate<Eviction> = async (eviction, objects, { name, dryRun, identifiers }) => {
  const options = evictionOptions(eviction.deleteOptions ?? {}, { dryRun, apiDomain: identifiers.apiDomain });
  const pods = objects<Pod>('', 'pods', options.dryRun);
  for (let left = attempts; ; left--) {
    const pod = await pods.get(name);
    if (!needsNoBudget(pod)) {
      await evictWithin(
        objects<PodDisruptionBudget>('policy', 'poddisruptionbudgets', options.dryRun),
        pods,
        pod,
        options,
      );
      return success();
    }
    try {
      const starting = pod.status.phase === 'Pending' && pod.metadata.deletionTimestamp === undefined;
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
function needsNoBudget(pod: Pod): boolean {
  return hasEnded(pod) || pod.status.phase === 'Pending' || pod.metadata.deletionTimestamp !== undefined;
}

async function evictWithin(
  budgets: InternalClient<PodDisruptionBudget>,
  pods: InternalClient<Pod>,
  pod: Pod,
  options: DeleteOptions,
): Promise<void> {
  const name = nameOf(pod);
  const [budget, ...others] = await budgetsOf(budgets, pod);
  if (others.length > 0) throw tooManyBudgets();
  if (!budget) return pods.delete(name, options);
  // A pod that is not ready costs no disruption if enough other pods are healthy.
  if (isReady(pod) || !(alwaysAllows(budget) || isMet(budget))) {
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
async function budgetsOf(
  budgets: InternalClient<PodDisruptionBudget>,
  { metadata: { labels = {} } }: Pod,
): Promise<readonly PodDisruptionBudget[]> {
  const found: PodDisruptionBudget[] = [];
  if (Object.keys(labels).length === 0) return found;
  for await (const budget of budgets.list()) {
    const requirements = budget.spec.selector && requirementsOf(budget.spec.selector);
    if (requirements && matchRequirements(requirements)(labels)) found.push(budget);
  }
  return found;
}

/** True if a budget allows the eviction of all pods that are not ready. */
function alwaysAllows({ spec }: PodDisruptionBudget): boolean {
  return spec.unhealthyPodEvictionPolicy === 'AlwaysAllow';
}

function isMet({ status: { desiredHealthy, currentHealthy } }: PodDisruptionBudget): boolean {
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** How many evicted pods a budget may list before its controller has processed them. */
const disruptedPodsLimit = 2000;

/**
 * Takes one disruption from a budget, in place, and adds the pod to `disruptedPods`. Throws 403 and
 * 429 if none is allowed.
 */
function spend(budget: PodDisruptionBudget, pod: string): void {
  const { status } = budget;
  const name = nameOf(budget);
  if (Number(status.observedGeneration ?? 0) < generationOf(budget)) throw stillProcessed(name);
  const { disruptionsAllowed: allowed, disruptedPods: disrupted = {} } = status;
  if (allowed < 0) throw refused(name, 'pdb disruptions allowed is negative');
  if (Object.keys(disrupted).length > disruptedPodsLimit) {
    throw refused(name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (allowed === 0) throw notAllowed(name, status);
  status.disruptionsAllowed = allowed - 1;
  if (allowed === 1) noteInsufficient(budget);
  setOwn(disrupted, pod, now());
  status.disruptedPods = disrupted;
}

/** Sets the budget's condition DisruptionAllowed to false, in place. */
function noteInsufficient(budget: PodDisruptionBudget): void {
  const type = 'DisruptionAllowed';
  const { conditions = [] } = budget.status;
  const old = conditions.find((condition) => condition.type === type);
  const condition = {
    type,
    status: 'False',
    observedGeneration: generationOf(budget),
    lastTransitionTime: old?.status === 'False' ? old.lastTransitionTime : now(),
    reason: 'InsufficientPods',
    message: '',
  };
  budget.status.conditions = [...conditions.filter((candidate) => candidate !== old), condition];
}

/** Adds the pod's resourceVersion as a precondition, unless the options have one. */
function asSeen(options: DeleteOptions, pod: Pod): DeleteOptions {
  if (namesVersion(options)) return options;
  const { resourceVersion = '' } = pod.metadata;
  return { ...options, preconditions: { ...options.preconditions, resourceVersion } };
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

function notAllowed(name: string, { desiredHealthy: needed, currentHealthy: healthy }: PodDisruptionBudgetStatus) {
  return tooMany(`The disruption budget ${name} needs ${needed} healthy pods and has ${healthy} currently`);
}

/** The error if the controller has not yet observed the current budget or pod. */
function stillProcessed(name: string): StatusError {
  return tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
}
