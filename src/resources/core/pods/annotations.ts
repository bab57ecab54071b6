import { checkTolerations } from '../../../kinds/core/check-tolerations.ts';
import { parseTolerations } from '../../../admission/parse-tolerations.ts';
import { JsonDecodeError } from '../../../codec/json-decode-error.ts';
import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { containersOf } from './default.ts';
import { checkLocalPath } from './reference.ts';

/** The annotations of every set of identifiers: both domains are reserved. */
const marks = identifierSets.map((set) => {
  const { labelDomain } = identifiersOf(set);
  return {
    mirror: `${labelDomain}/config.mirror`,
    tolerations: `scheduler.alpha.${labelDomain}/tolerations`,
    deletionCost: `controller.${labelDomain}/pod-deletion-cost`,
    pod: `seccomp.security.alpha.${labelDomain}/pod`,
    container: `container.seccomp.security.alpha.${labelDomain}/`,
    armor: `container.apparmor.security.beta.${labelDomain}/`,
  };
});

/** The names, or the beginnings of names, of one set. */
type Mark = (typeof marks)[number];

interface CheckedAnnotation {
  /** The path of the annotations. */
  readonly field: string;
  readonly name: string;
  readonly value: string;
  /** The spec of the pod. */
  readonly spec: JsonObject;
}

type AnnotationRule = (mark: Mark, annotation: CheckedAnnotation) => readonly FieldError[];

/** In the order of kube-apiserver. */
const podRules: readonly AnnotationRule[] = [mirrorErrors, tolerationErrors, seccompErrors, armorErrors];
const templateRules: readonly AnnotationRule[] = [
  mirrorErrors,
  tolerationErrors,
  costErrors,
  seccompErrors,
  armorErrors,
];

/** Checks the annotations of a pod that have a meaning, but for its cost. */
export function checkPodAnnotations(pod: JsonObject): readonly FieldError[] {
  return checkAnnotations('metadata.annotations', objectAt(pod, 'metadata'), objectAt(pod, 'spec'), podRules);
}

/** Checks the annotations of a pod template that have a meaning. */
export function checkTemplateAnnotations(field: string, template: JsonObject): readonly FieldError[] {
  return checkAnnotations(field, objectAt(template, 'metadata'), objectAt(template, 'spec'), templateRules);
}

/**
 * Checks the cost of a pod, a rule of release 1.22. A pod of an earlier one that breaks it can be
 * updated.
 */
export function checkDeletionCost(pod: JsonObject, old?: JsonObject): readonly FieldError[] {
  if (old && checkDeletionCost(old).length > 0) return noErrors;
  return checkAnnotations('metadata.annotations', objectAt(pod, 'metadata'), objectAt(pod, 'spec'), [costErrors]);
}

function checkAnnotations(
  field: string,
  metadata: JsonObject,
  spec: JsonObject,
  rules: readonly AnnotationRule[],
): readonly FieldError[] {
  const annotations = stringEntriesAt(metadata, 'annotations');
  if (annotations.length === 0) return noErrors;
  return errorsOfEach(rules, (rule) =>
    errorsOfEach(annotations, ([name, value]) =>
      errorsOfEach(marks, (mark) => rule(mark, { field, name, value, spec })),
    ),
  );
}

/**
 * Checks that an update keeps the annotations by which the node has started a pod: those of
 * AppArmor and the mark of a mirror pod.
 */
export function checkKeptAnnotations(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const [before, now] = [old, pod].map((one) => new Map(stringEntriesAt(objectAt(one, 'metadata'), 'annotations')));
  return allErrors(
    errorsOfEach([...(before ?? [])], ([name, value]) =>
      now?.get(name) === value ? noErrors : changeErrors(name, 'remove or update'),
    ),
    errorsOfEach([...(now ?? [])], ([name]) => (before?.has(name) ? noErrors : changeErrors(name, 'add'))),
  );
}

function changeErrors(name: string, verb: string): readonly FieldError[] {
  const what = keptAnnotation(name);
  return what ? [forbidden(`metadata.annotations[${name}]`, `may not ${verb} ${what}`)] : noErrors;
}

/** The description of an annotation that updates keep; undefined for others. */
function keptAnnotation(name: string): string | undefined {
  if (marks.some(({ armor }) => name.startsWith(armor))) return 'AppArmor annotations';
  return marks.some(({ mirror }) => name === mirror) ? 'mirror pod annotation' : undefined;
}

/**
 * Checks that a mirror pod names its node. A mirror pod represents a pod that the node itself runs.
 */
function mirrorErrors({ mirror }: Mark, annotation: CheckedAnnotation): readonly FieldError[] {
  const { field, name, value, spec } = annotation;
  return name === mirror && stringAt(spec, 'nodeName') === ''
    ? [invalid(`${field}[${name}]`, value, 'must set spec.nodeName if mirror pod annotation is set')]
    : noErrors;
}

/** Checks the annotation with tolerations, which has no effect. */
function tolerationErrors(mark: Mark, annotation: CheckedAnnotation): readonly FieldError[] {
  const { field, name, value } = annotation;
  if (name !== mark.tolerations || value === '') return noErrors;
  try {
    return checkTolerations(`${field}.${name}`, parseTolerations(value, 'core'));
  } catch (error) {
    if (!(error instanceof JsonDecodeError)) throw error;
    return [invalid(field, name, error.message)];
  }
}

/** Neither a plus sign nor leading zeros. */
const cost = /^(?:0|[1-9]\d*|-\d+)$/;

function costErrors({ deletionCost }: Mark, annotation: CheckedAnnotation): readonly FieldError[] {
  const { field, name, value } = annotation;
  if (name !== deletionCost) return noErrors;
  const isValid = cost.test(value) && Number(value) >= -(2 ** 31) && Number(value) < 2 ** 31;
  return isValid ? noErrors : [invalid(`${field}[${name}]`, value, 'must be a 32bit integer')];
}

function seccompErrors(mark: Mark, annotation: CheckedAnnotation): readonly FieldError[] {
  const { field, name, value } = annotation;
  return name === mark.pod || name.startsWith(mark.container)
    ? checkSeccompProfile(`${field}.${name}`, value)
    : noErrors;
}

const localPrefix = 'localhost/';

/** Checks the value of a seccomp annotation. */
export function checkSeccompProfile(field: string, profile: string): readonly FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return noErrors;
  return profile.startsWith(localPrefix)
    ? checkLocalPath(field, profile.slice(localPrefix.length))
    : [invalid(field, profile, 'must be a valid seccomp profile')];
}

/**
 * True if a text is a valid value of an AppArmor annotation. An empty one is the default profile.
 */
export function isArmorProfile(profile: string): boolean {
  return ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(localPrefix);
}

function armorErrors({ armor }: Mark, annotation: CheckedAnnotation): readonly FieldError[] {
  const { field, name, value, spec } = annotation;
  if (!name.startsWith(armor)) return noErrors;
  const container = name.slice(armor.length);
  return allErrors(
    containersOf(spec).some((one) => stringAt(one, 'name') === container)
      ? noErrors
      : [invalid(`${field}[${name}]`, container, 'container not found')],
    isArmorProfile(value)
      ? noErrors
      : [invalid(`${field}[${name}]`, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`)],
  );
}
