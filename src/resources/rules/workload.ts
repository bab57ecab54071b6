import type { JsonObject } from '../../meta/json-value.ts';
import { type FieldError, invalid, invalidShown, required } from '../../status/field-error.ts';
import { goStringMap } from '../../status/go-syntax.ts';
import { isSet, numberAt, objectAt, sameValue } from '../../meta/read-field.ts';
import { checkNotNegative } from './check.ts';
import { checkLabelSelector, isEmptySelector, labelsOf, selectorMatches, shownSelector } from './labels.ts';
import { checkNoDeadline, checkPodTemplate, checkRestartPolicy } from './pod-template.ts';

/** What the workloads that keep pods running have in common. */
export interface WorkloadRule {
  /** As messages name it: `Deployment`. */
  readonly kind: string;
  /** Fields of the spec that must not be negative. */
  readonly counts: readonly string[];
}

/** Every error of a workload with a label selector, a pod template and counts. */
export function checkWorkload(workload: JsonObject, { kind, counts }: WorkloadRule): FieldError[] {
  const spec = objectAt(workload, 'spec');
  const template = objectAt(spec, 'template');
  return [
    ...checkCounts('spec', spec, counts),
    ...checkSelector(spec, kind),
    ...checkPodTemplate('spec.template', template),
    ...checkRestartPolicy('spec.template', template, ['Always']),
    ...checkNoDeadline('spec.template', template, kind),
  ];
}

/** Refuses a change of the selector: pods would be lost or stolen. */
export function checkSelectorKept(workload: JsonObject, old: JsonObject): FieldError[] {
  const selector = objectAt(workload, 'spec', 'selector');
  return sameValue(selector, objectAt(old, 'spec', 'selector'))
    ? []
    : [invalidShown('spec.selector', shownSelector(selector), 'field is immutable')];
}

/** Numbers that count something. */
export function checkCounts(path: string, object: JsonObject, names: readonly string[]): FieldError[] {
  return names.flatMap((name) => checkNotNegative(`${path}.${name}`, numberAt(object, name)));
}

function checkSelector(spec: JsonObject, kind: string): FieldError[] {
  const selector = objectAt(spec, 'selector');
  if (!isSet(spec, 'selector')) return [required('spec.selector')];
  const errors = checkLabelSelector('spec.selector', selector);
  if (isEmptySelector(selector)) {
    errors.push(
      invalidShown('spec.selector', shownSelector(selector), `empty selector is invalid for ${kind.toLowerCase()}`),
    );
  }
  if (errors.length > 0) return errors;
  const labels = labelsOf(objectAt(spec, 'template'));
  return selectorMatches(selector, labels)
    ? []
    : [
        invalidShown(
          'spec.template.metadata.labels',
          goStringMap(labels),
          '`selector` does not match template `labels`',
        ),
      ];
}

/** How the counts in a status relate: none is negative, and each named in `bounds` is at most another. */
export function checkStatusCounts(
  workload: JsonObject,
  counts: readonly string[],
  bounds: readonly (readonly [name: string, limit: string, text: string])[],
): FieldError[] {
  const status = objectAt(workload, 'status');
  const over = bounds.filter(([name, limit]) => (numberAt(status, name) ?? 0) > (numberAt(status, limit) ?? 0));
  return [
    ...checkCounts('status', status, counts),
    ...over.map(([name, , text]) =>
      invalid(`status.${name}`, numberAt(status, name) ?? 0, `cannot be greater than ${text}`),
    ),
  ];
}
