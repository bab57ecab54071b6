import { noErrors } from '../../../status/all-errors.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { identityOfValue, isSet, numberAt, objectAt, objectsAt } from '../../../meta/read-field.ts';
import { checkDeletionCost, checkKeptAnnotations } from './annotations.ts';
import { sameMessage } from '../../../scheme/same-message.ts';

/** One group of rules of an update: its errors, and whether the following groups are skipped. */
type UpdateCheck = (
  spec: JsonObject,
  old: JsonObject,
) => { readonly errors: readonly FieldError[]; readonly stops?: boolean };

/**
 * The errors of an update. In the spec only these may change: images, the deadline (to an earlier
 * one) and tolerations (by additions).
 */
export function validatePodUpdate(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, oldSpec] = [objectAt(pod, 'spec'), objectAt(old, 'spec')];
  const found: FieldError[] = [...checkKeptAnnotations(pod, old), ...checkDeletionCost(pod, old)];
  if (sameSpec(spec, oldSpec)) return found;
  for (const step of steps) {
    const { errors, stops } = step(spec, oldSpec);
    found.push(...errors);
    if (stops) break;
  }
  return found;
}

const sameSpec = sameMessage('api.core.v1.PodSpec');
const lists = ['containers', 'initContainers'];

/** The groups of rules, in the order of kube-apiserver. */
const steps: readonly UpdateCheck[] = [
  ...lists.map(
    (name): UpdateCheck =>
      (spec, old) =>
        containerErrors(name, spec, old),
  ),
  deadlineErrors,
  tolerationErrors,
  (spec, old) => ({
    errors: sameSpec(fixedPart(spec, old), fixedPart(old, old)) ? noErrors : [forbidden('spec', fixedMessage)],
  }),
];

const fixedMessage =
  'pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, ' +
  '`spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)';

/**
 * Checks that the number of containers stays the same. If it does not, the following groups are
 * skipped.
 */
function containerErrors(name: string, spec: JsonObject, old: JsonObject): ReturnType<UpdateCheck> {
  const field = `spec.${name}`;
  return objectsAt(spec, name).length === objectsAt(old, name).length
    ? { errors: noErrors }
    : { errors: [forbidden(field, 'pod updates may not add or remove containers')], stops: true };
}

function deadlineErrors(spec: JsonObject, old: JsonObject): ReturnType<UpdateCheck> {
  const field = 'spec.activeDeadlineSeconds';
  const seconds = numberAt(spec, 'activeDeadlineSeconds');
  const oldSeconds = numberAt(old, 'activeDeadlineSeconds');
  if (seconds !== undefined && (seconds < 0 || seconds > deadlineLimit)) {
    const range = `must be between 0 and ${deadlineLimit}, inclusive`;
    return { errors: [invalid(field, seconds, range)], stops: true };
  }
  if (oldSeconds === undefined) return { errors: noErrors };
  if (seconds === undefined) {
    return { errors: [invalid(field, null, 'must not update from a positive integer to nil value')] };
  }
  return seconds > oldSeconds
    ? { errors: [invalid(field, seconds, 'must be less than or equal to previous value')], stops: true }
    : { errors: noErrors };
}

const deadlineLimit = 2 ** 31 - 1;

function tolerationErrors(spec: JsonObject, old: JsonObject): ReturnType<UpdateCheck> {
  const tolerations = objectsAt(spec, 'tolerations');
  const kept = new Set(tolerations.map(identityOfToleration));
  const missing = objectsAt(old, 'tolerations').some((toleration) => !kept.has(identityOfToleration(toleration)));
  return {
    errors: missing
      ? [forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')]
      : noErrors,
  };
}

function identityOfToleration({ tolerationSeconds: _seconds, ...toleration }: JsonObject): string {
  return identityOfValue(toleration);
}

/** The part of a spec that must not change. A negative grace period may become 1. */
function fixedPart(written: JsonObject, old: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...spec } = written;
  const fixed: JsonObject = { ...spec };
  const grace = 'terminationGracePeriodSeconds';
  if ((numberAt(old, grace) ?? 0) < 0 && numberAt(spec, grace) === 1) fixed[grace] = old[grace] ?? null;
  for (const name of lists) {
    if (isSet(spec, name)) fixed[name] = objectsAt(spec, name).map(({ image: _image, ...container }) => container);
  }
  return fixed;
}
