import type { ReplicaSetStatus } from '../../../gen/stored/apps-v1.ts';
import type { PodTemplateSpec } from '../../../gen/stored/core-v1.ts';
import type { LabelSelector } from '../../../gen/stored/meta-v1.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import { checkCounts } from '../fields/field-checks.ts';
import { checkLabelSelector, isEmptySelector, isReadableSelector, selectorMatches } from '../fields/labels.ts';
import { checkImmutable } from '../fields/immutable.ts';
import { checkPodTemplate, checkRestartPolicy, checkSharedDisks } from './check-pod-template.ts';

/** The spec of a workload: its pods, and the LabelSelector by which it finds them. */
type WorkloadSpec = { selector?: LabelSelector; template: PodTemplateSpec; replicas?: number };

/** An object with such a spec. */
type Workload = { readonly spec: WorkloadSpec };

/** Refuses a change of the selector: the workload would lose pods or adopt the pods of others. */
export function checkSelectorKept({ spec }: Workload, old: Workload): readonly FieldError[] {
  return checkImmutable('spec.selector', spec.selector ?? {}, old.spec.selector);
}

/**
 * Checks that the selector of a workload is valid and not empty: an empty one matches every pod.
 * `kind` is the workload's name in messages. The schema reports a missing selector.
 */
export function checkSelector(spec: FieldCursor<WorkloadSpec>, kind: string): void {
  const selector = spec.at('selector');
  if (!selector.value) return;
  spec.report(...checkLabelSelector(selector.path, selector.value));
  if (isEmptySelector(selector.value)) selector.reportInvalid(`empty selector is invalid for ${kind}`);
}

/** Refuses a selector that cannot be converted. Reported in addition to the errors of its parts. */
export function checkReadable(spec: FieldCursor<WorkloadSpec>, why: string): void {
  if (!isReadable(spec.value)) spec.at('selector').reportInvalid(why);
}

function isReadable({ selector }: WorkloadSpec): boolean {
  return !selector || isReadableSelector(selector);
}

/**
 * Checks that the selector matches the pod template, and then the template, unless the selector
 * cannot be converted.
 */
export function checkChosenTemplate(spec: FieldCursor<WorkloadSpec>, kind: string, emulated: EmulatedRelease): void {
  if (!isReadable(spec.value)) return checkReadable(spec, 'invalid label selector');
  checkSelected(spec);
  const isReplicated = (spec.value.replicas ?? 1) > 1;
  checkLastingTemplate(spec.at('template'), { kind, isReplicated, emulated });
}

/**
 * Checks that the selector matches the labels of the pod template. A missing selector matches
 * nothing. A selector that cannot be converted is reported elsewhere.
 */
export function checkSelected(spec: FieldCursor<WorkloadSpec>): void {
  const labels = spec.at('template').at('metadata').at('labels');
  const { value = {} } = labels;
  const { selector } = spec.value;
  if (selector && (!isReadable(spec.value) || selectorMatches(selector, value))) return;
  labels.reportInvalid('`selector` does not match template `labels`', value);
}

/** How a workload uses its pod template. */
interface TemplateUse {
  /** The kind of the workload in messages. */
  readonly kind: string;
  /** True if the workload can have several pods at once. */
  readonly isReplicated: boolean;
  readonly emulated: EmulatedRelease;
}

/** Checks a pod template whose pods run until they are deleted. */
export function checkLastingTemplate(
  template: FieldCursor<PodTemplateSpec>,
  { kind, isReplicated, emulated }: TemplateUse,
): void {
  checkPodTemplate(template, emulated);
  if (isReplicated) checkSharedDisks(template);
  checkLastingPods(template, kind);
}

/** Checks that pods have the restart policy Always and no deadline: they run until deleted. */
export function checkLastingPods(template: FieldCursor<PodTemplateSpec>, kind: string): void {
  checkRestartPolicy(template, ['Always']);
  const deadline = template.at('spec').at('activeDeadlineSeconds');
  if (deadline.isSet) deadline.reportForbidden(`activeDeadlineSeconds in ${kind} is not Supported`);
}

/** A count that is at most another one, with the other's name in the message. */
type Bound<Status> = readonly [name: keyof Status & string, limit: keyof Status & string, text: string];

/** Checks the counts of a status: none is negative, and each bound holds. */
export function checkStatusCounts<Status extends object>(
  { status }: { readonly status: Status },
  counts: readonly (keyof Status & string)[],
  bounds: readonly Bound<Status>[] = [],
): readonly FieldError[] {
  const countAt = (name: keyof Status): number => Number(status[name] ?? 0);
  const over = bounds.filter(([name, limit]) => countAt(name) > countAt(limit));
  return allErrors(
    checkCounts('status', status, counts),
    over.map(([name, , text]) => invalid(`status.${name}`, countAt(name), `cannot be greater than ${text}`)),
  );
}

/**
 * Refuses a decrease or a removal of `collisionCount`: it counts generated names that were already
 * taken, and those must not be tried again.
 */
export function checkCollisionCount(workload: Colliding, old: Colliding): readonly FieldError[] {
  const { collisionCount: count } = workload.status;
  const { collisionCount: before } = old.status;
  if (before === undefined || (count !== undefined && count >= before)) return noErrors;
  return [invalid('status.collisionCount', count ?? 0, 'cannot be decremented')];
}

/** A workload that counts the collisions of names. */
type Colliding = { readonly status: { readonly collisionCount?: number } };

/** Checks the counts in the status of a ReplicaSet or a ReplicationController. */
export function checkReplicaStatus(workload: { readonly status: ReplicaSetStatus }): readonly FieldError[] {
  return checkStatusCounts(
    workload,
    [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'terminatingReplicas',
      'observedGeneration',
    ],
    [
      ['fullyLabeledReplicas', 'replicas', 'status.replicas'],
      ['readyReplicas', 'replicas', 'status.replicas'],
      ['availableReplicas', 'replicas', 'status.replicas'],
      ['availableReplicas', 'readyReplicas', 'readyReplicas'],
    ],
  );
}
