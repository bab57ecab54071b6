import type { PodFailurePolicyRule } from '../../gen/types/batch-v1.ts';
import type { Job, Pod } from '../resources.ts';

/** The effect of a failed pod, and the sentence for users if it ends the Job. */
interface FailureEffect {
  readonly action: 'Count' | 'Ignore' | 'FailIndex' | 'FailJob';
  readonly message: string;
}

/** The effect of a failed pod by the first rule of the Job's policy that matches it. */
export function failureEffect({ spec }: Job, pod: Pod): FailureEffect {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const cause = exitCause(rule, pod) ?? conditionCause(rule, pod);
    if (cause === undefined) continue;
    return { action: knownAction(rule.action), message: `${cause} matching ${rule.action} rule at index ${index}` };
  }
  return { action: 'Count', message: '' };
}

const actions = ['Ignore', 'FailIndex', 'FailJob'] as const;

function knownAction(action: string): FailureEffect['action'] {
  return actions.find((known) => known === action) ?? 'Count';
}

/** The message about the first pod that ends the Job; undefined if none does. */
export function endingFailure(job: Job, pods: readonly Pod[]): string | undefined {
  if (!job.spec.podFailurePolicy) return undefined;
  const effects = pods.filter(({ status }) => status?.phase === 'Failed').map((pod) => failureEffect(job, pod));
  return effects.find(({ action }) => action === 'FailJob')?.message;
}

function exitCause({ onExitCodes }: PodFailurePolicyRule, { metadata, status = {} }: Pod): string | undefined {
  if (!onExitCodes) return undefined;
  const { containerName, operator, values } = onExitCodes;
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  for (const { name, state } of statuses) {
    const exitCode = state?.terminated?.exitCode ?? 0;
    if (exitCode === 0 || (containerName && containerName !== name)) continue;
    if (values.includes(exitCode) !== (operator === 'In')) continue;
    return `Container ${name} for pod ${metadata.namespace}/${metadata.name} failed with exit code ${exitCode}`;
  }
  return undefined;
}

function conditionCause({ onPodConditions = [] }: PodFailurePolicyRule, { metadata, status }: Pod): string | undefined {
  const found = status?.conditions?.find((condition) =>
    onPodConditions.some(({ type, status: value = 'True' }) => type === condition.type && value === condition.status),
  );
  return found && `Pod ${metadata.namespace}/${metadata.name} has condition ${found.type}`;
}
