import type { JsonObject } from '../../../meta/json-value.ts';
import { allErrors, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { isSet, numberAt, objectAt, sameValue } from '../../../meta/read-field.ts';
import { checkCounts } from '../fields/check.ts';
import {
  checkLabelSelector,
  isEmptySelector,
  isReadableSelector,
  labelsOf,
  selectorMatches,
} from '../fields/labels.ts';
import { checkNoDeadline, checkPodTemplate, checkRestartPolicy, checkSharedDisks } from './pod-template.ts';

/** Refuses a change of the selector: the workload would lose pods or adopt those of others. */
export function checkSelectorKept(workload: JsonObject, old: JsonObject): readonly FieldError[] {
  const selector = objectAt(workload, 'spec', 'selector');
  return sameValue(selector, objectAt(old, 'spec', 'selector'))
    ? noErrors
    : [invalid('spec.selector', selector, 'field is immutable')];
}

/**
 * Checks the selector of a workload: set, valid and not empty. `kind` is the workload's name in
 * messages.
 */
export function checkSelector(spec: JsonObject, kind: string): readonly FieldError[] {
  if (!isSet(spec, 'selector')) return [required('spec.selector')];
  return allErrors(checkLabelSelector('spec.selector', objectAt(spec, 'selector')), checkNotEmpty(spec, kind));
}

/** Refuses an empty selector, because it matches every pod. */
export function checkNotEmpty(spec: JsonObject, kind: string): readonly FieldError[] {
  const selector = objectAt(spec, 'selector');
  return isEmptySelector(selector)
    ? [invalid('spec.selector', selector, `empty selector is invalid for ${kind}`)]
    : noErrors;
}

/** Refuses a selector that cannot be converted. Reported in addition to the errors of its parts. */
export function checkReadable(spec: JsonObject, why: string): readonly FieldError[] {
  const selector = objectAt(spec, 'selector');
  return isReadableSelector(selector) ? noErrors : [invalid('spec.selector', selector, why)];
}

/**
 * Checks that the selector matches the pod template, and then the template, unless the selector
 * cannot be converted.
 */
export function checkChosenTemplate(spec: JsonObject, kind: string): readonly FieldError[] {
  const unread = checkReadable(spec, 'invalid label selector');
  if (unread.length > 0) return unread;
  return allErrors(checkSelected(spec), checkLastingTemplate(spec, kind));
}

/**
 * Checks that the selector matches the labels of the pod template. A missing selector matches
 * nothing. A selector that cannot be converted is reported elsewhere.
 */
export function checkSelected(spec: JsonObject): readonly FieldError[] {
  const selector = objectAt(spec, 'selector');
  const labels = labelsOf(objectAt(spec, 'template'));
  const isGiven = isSet(spec, 'selector');
  if (isGiven && (!isReadableSelector(selector) || selectorMatches(selector, labels))) return noErrors;
  const field = 'spec.template.metadata.labels';
  return [invalid(field, labels, '`selector` does not match template `labels`')];
}

/**
 * Checks the template of pods that run until they are deleted. `kind` is the workload's name in
 * messages.
 */
export function checkLastingTemplate(spec: JsonObject, kind: string): readonly FieldError[] {
  const template = objectAt(spec, 'template');
  const many = kind === 'DaemonSet' || (numberAt(spec, 'replicas') ?? 1) > 1;
  return allErrors(
    checkPodTemplate('spec.template', template),
    many ? checkSharedDisks('spec.template', template) : noErrors,
    checkLastingPods(template, kind),
  );
}

/** Checks that pods have the restart policy Always and no deadline. */
export function checkLastingPods(template: JsonObject, kind: string): readonly FieldError[] {
  return allErrors(
    checkRestartPolicy('spec.template', template, ['Always']),
    checkNoDeadline('spec.template', template, kind),
  );
}

/**
 * Checks the counts of a status: none is negative, and each `name` in `bounds` is at most its
 * `limit`.
 */
export function checkStatusCounts(
  workload: JsonObject,
  counts: readonly string[],
  bounds: readonly (readonly [name: string, limit: string, text: string])[],
): readonly FieldError[] {
  const status = objectAt(workload, 'status');
  const over = bounds.filter(([name, limit]) => (numberAt(status, name) ?? 0) > (numberAt(status, limit) ?? 0));
  return allErrors(
    checkCounts('status', status, counts),
    over.map(([name, , text]) =>
      invalid(`status.${name}`, numberAt(status, name) ?? 0, `cannot be greater than ${text}`),
    ),
  );
}

/**
 * Refuses a decrease or a removal of `collisionCount`: it counts generated names that were already
 * taken, and those must not be tried again.
 */
export function checkCollisionCount(workload: JsonObject, old: JsonObject): readonly FieldError[] {
  const count = numberAt(objectAt(workload, 'status'), 'collisionCount');
  const before = numberAt(objectAt(old, 'status'), 'collisionCount');
  if (before === undefined || (count !== undefined && count >= before)) return noErrors;
  return [invalid('status.collisionCount', count ?? 0, 'cannot be decremented')];
}

/** Checks the counts in the status of a ReplicaSet or a ReplicationController. */
export function checkReplicaStatus(workload: JsonObject): readonly FieldError[] {
  return checkStatusCounts(
    workload,
    ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
    [
      ['fullyLabeledReplicas', 'replicas', 'status.replicas'],
      ['readyReplicas', 'replicas', 'status.replicas'],
      ['availableReplicas', 'replicas', 'status.replicas'],
      ['availableReplicas', 'readyReplicas', 'readyReplicas'],
    ],
  );
}
