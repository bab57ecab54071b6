import type { JsonObject } from '../../meta/json-value.ts';
import { type FieldError, forbidden, notSupported } from '../../status/field-error.ts';
import { validatePodSpec } from '../core/pods/validate.ts';
import { isSet, objectAt, stringAt, stringEntriesAt } from '../../meta/read-field.ts';
import { validateQualifiedName } from '../../meta/validate-name.ts';
import { checkString } from './check.ts';
import { checkLabels } from './labels.ts';

/** A pod template: its labels and its spec. */
export function checkPodTemplate(field: string, template: JsonObject): FieldError[] {
  return [
    ...checkLabels(`${field}.labels`, objectAt(template, 'metadata'), 'labels'),
    ...checkAnnotationKeys(`${field}.annotations`, objectAt(template, 'metadata')),
    ...validatePodSpec(objectAt(template, 'spec'), `${field}.spec`),
  ];
}

function checkAnnotationKeys(field: string, metadata: JsonObject): FieldError[] {
  return stringEntriesAt(metadata, 'annotations').flatMap(([key]) =>
    checkString(field, key.toLowerCase(), validateQualifiedName),
  );
}

/** The restart policies that a workload can have; one that keeps its pods running has `Always` alone. */
export function checkRestartPolicy(field: string, template: JsonObject, allowed: readonly string[]): FieldError[] {
  const policy = stringAt(objectAt(template, 'spec'), 'restartPolicy');
  return allowed.includes(policy) ? [] : [notSupported(`${field}.spec.restartPolicy`, policy, allowed)];
}

/** A pod that is kept running has no deadline. */
export function checkNoDeadline(field: string, template: JsonObject, kind: string): FieldError[] {
  return isSet(objectAt(template, 'spec'), 'activeDeadlineSeconds')
    ? [forbidden(`${field}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)]
    : [];
}
