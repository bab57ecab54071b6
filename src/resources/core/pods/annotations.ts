import { checkTolerations } from '../../../kinds/core/check-tolerations.ts';
import { parseTolerations } from '../../../admission/parse-tolerations.ts';
import { JsonDecodeError } from '../../../codec/decode-error.ts';
import type { Pod, PodSpec, PodTemplateSpec } from '../../../gen/stored/core-v1.ts';
import { identifierSets, identifiersOf } from '../../../identifiers/identifiers.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { containersOf } from './default.ts';
import { checkLocalPath } from './volumes/reference.ts';

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
  readonly spec: PodSpec;
}

type AnnotationRule = (mark: Mark, annotation: CheckedAnnotation) => readonly FieldError[];

const podRules: readonly AnnotationRule[] = [mirrorErrors, tolerationErrors, seccompErrors, armorErrors];

/** Checks the annotations of a pod that have a meaning, but for its cost. */
export function checkPodAnnotations(pod: Pod): readonly FieldError[] {
  return checkAnnotations('metadata.annotations', pod, podRules);
}

/** Checks the annotations of a pod template that have a meaning. */
export function checkTemplateAnnotations(field: string, template: PodTemplateSpec): readonly FieldError[] {
  return checkAnnotations(field, template, [...podRules, costErrors]);
}

/**
 * Checks the cost of a pod, a rule of release 1.22. A pod of an earlier one that breaks it can be
 * updated.
 */
export function checkDeletionCost(pod: Pod, old?: Pod): readonly FieldError[] {
  if (old && checkDeletionCost(old).length > 0) return noErrors;
  return checkAnnotations('metadata.annotations', pod, [costErrors]);
}

function checkAnnotations(
  field: string,
  { metadata: { annotations }, spec }: PodTemplateSpec,
  rules: readonly AnnotationRule[],
): readonly FieldError[] {
  if (!annotations) return noErrors;
  const entries = Object.entries(annotations);
  return errorsOfEach(rules, (rule) =>
    errorsOfEach(entries, ([name, value]) => errorsOfEach(marks, (mark) => rule(mark, { field, name, value, spec }))),
  );
}

/**
 * Checks that an update keeps the annotations by which the node has started a pod: the annotations
 * of AppArmor and the mark of a mirror pod.
 */
export function checkKeptAnnotations(pod: Pod, old: Pod): readonly FieldError[] {
  const { annotations: now = {} } = pod.metadata;
  const { annotations: before = {} } = old.metadata;
  return allErrors(
    errorsOfEach(Object.entries(before), ([name, value]) =>
      getOwn(now, name) === value ? noErrors : changeErrors(name, 'remove or update'),
    ),
    errorsOfEach(Object.keys(now), (name) => (Object.hasOwn(before, name) ? noErrors : changeErrors(name, 'add'))),
  );
}

function changeErrors(name: string, verb: string): readonly FieldError[] {
  const what = keptAnnotation(name);
  return what ? [forbidden(`metadata.annotations[${name}]`, `may not ${verb} ${what}`)] : noErrors;
}

/** True if a pod mirrors a static pod of a node. */
export function isMirrorPod({ metadata: { annotations = {} } }: Pod): boolean {
  return marks.some(({ mirror }) => Object.hasOwn(annotations, mirror));
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
  return name === mirror && !spec.nodeName
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
    containersOf(spec).some((one) => one.name === container)
      ? noErrors
      : [invalid(`${field}[${name}]`, container, 'container not found')],
    isArmorProfile(value)
      ? noErrors
      : [invalid(`${field}[${name}]`, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`)],
  );
}
