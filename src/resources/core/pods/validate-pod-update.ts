import type { Container, Pod, PodSpec, Toleration } from '../../../gen/stored/core-v1.ts';
import { identityOfValue } from '../../../meta/read-field.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { checkDeletionCost, checkKeptAnnotations } from './annotations.ts';
import { checkDirectives, withDirectivesOf } from './scheduling-directives.ts';

/**
 * The errors of an update. In the spec only these may change: images, the deadline (to an earlier
 * one), tolerations (by additions) and scheduling gates (by removals).
 */
export function validatePodUpdate(pod: Pod, old: Pod, { emulated }: StrategyContext): readonly FieldError[] {
  const spec = new FieldCursor(pod).at('spec');
  spec.report(...checkKeptAnnotations(pod, old), ...checkDeletionCost(pod, old));
  if (!sameSpec(pod.spec, old.spec)) checkSpecChange(spec, old.spec, emulated);
  return spec.errors;
}

const sameSpec = sameMessage('api.core.v1.PodSpec');

/** Checks a changed spec. As in kube-apiserver, some errors end the checks. */
function checkSpecChange(spec: FieldCursor<PodSpec>, old: PodSpec, emulated: EmulatedRelease): void {
  for (const name of ['containers', 'initContainers'] as const) {
    // A changed number of containers.
    if ((spec.value[name] ?? []).length === (old[name] ?? []).length) continue;
    spec.at(name).reportForbidden('pod updates may not add or remove containers');
    return;
  }
  if (!checkDeadline(spec.at('activeDeadlineSeconds'), old)) return;
  const kept = new Set((spec.value.tolerations ?? []).map(identityOfToleration));
  if (!(old.tolerations ?? []).every((toleration) => kept.has(identityOfToleration(toleration)))) {
    const message = 'existing toleration can not be modified except its tolerationSeconds';
    spec.at('tolerations').reportForbidden(message);
  }
  checkGates(spec, old);
  let written = fixedPart(spec.value, old);
  if (old.schedulingGates?.length && isSince(emulated.release, '1.27')) {
    checkDirectives(spec, old);
    written = withDirectivesOf(written, old);
  }
  if (!sameSpec(written, fixedPart(old, old))) spec.reportForbidden(fixedMessage(emulated));
}

/** Checks that no scheduling gate was added. */
function checkGates(spec: FieldCursor<PodSpec>, { schedulingGates = [] }: PodSpec): void {
  const before = new Set(schedulingGates.map(({ name }) => name));
  for (const gate of spec.each('schedulingGates')) {
    const { name } = gate.value;
    if (before.has(name)) continue;
    gate.at('name').reportForbidden(`only deletion is allowed, but found new scheduling gate '${name}'`);
  }
}

const images = ['`spec.containers[*].image`', '`spec.initContainers[*].image`', '`spec.activeDeadlineSeconds`'];
const tolerations = '`spec.tolerations` (only additions to existing tolerations)';
const longerGrace = '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** The message about changes of immutable fields, which depends on the release. */
function fixedMessage(emulated: EmulatedRelease): string {
  const only = 'pod updates may not change fields other than';
  if (isSince(emulated.release, '1.28')) return `${only} ${[...images, tolerations, longerGrace].join(',')}`;
  if (isSince(emulated.release, '1.27')) return `${only} ${[...images, tolerations].join(', ')} or ${longerGrace}`;
  return `${only} ${images.join(', ')} or ${tolerations}`;
}

/** Checks that the deadline becomes no later. False if that ends the checks. */
function checkDeadline(
  deadline: FieldCursor<PodSpec['activeDeadlineSeconds']>,
  { activeDeadlineSeconds: before }: PodSpec,
): boolean {
  const { value: seconds } = deadline;
  if (seconds === undefined) {
    if (before !== undefined) deadline.reportInvalid('must not update from a positive integer to nil value', null);
    return true;
  }
  if (seconds < 0 || seconds > deadlineLimit) {
    deadline.reportInvalid(`must be between 0 and ${deadlineLimit}, inclusive`);
    return false;
  }
  if (before === undefined || seconds <= before) return true;
  deadline.reportInvalid('must be less than or equal to previous value');
  return false;
}

const deadlineLimit = 2 ** 31 - 1;

function identityOfToleration({ tolerationSeconds: _seconds, ...toleration }: Toleration): string {
  return identityOfValue(toleration);
}

/** The part of a spec that must not change. A negative grace period may become 1. */
function fixedPart(written: PodSpec, old: PodSpec): Partial<PodSpec> {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...spec } = written;
  const { terminationGracePeriodSeconds: grace } = old;
  return {
    ...spec,
    ...(grace < 0 && spec.terminationGracePeriodSeconds === 1 ? { terminationGracePeriodSeconds: grace } : {}),
    containers: withoutImages(spec.containers),
    initContainers: withoutImages(spec.initContainers),
  };
}

function withoutImages(containers: readonly Container[] | null | undefined): Container[] {
  return (containers ?? []).map(({ image: _image, ...container }) => container);
}
