import { errorsOfEach } from '../../../status/all-errors.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import {
  identityOfValue,
  isSet,
  numberAt,
  objectAt,
  objectsAt,
  sameValue,
  stringAt,
} from '../../../meta/read-field.ts';
import { checkExactImages } from './container.ts';
import { checkTolerations } from './scheduling.ts';

/** A Pod that runs keeps its spec: images may change, the deadline may come closer, tolerations may be added. */
export function validatePodUpdate(pod: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectAt(pod, 'spec');
  const oldSpec = objectAt(old, 'spec');
  const errors = [...countErrors(spec, oldSpec), ...deadlineErrors(spec, oldSpec), ...tolerationErrors(spec, oldSpec)];
  if (errors.length > 0) return errors;
  const fixed = sameValue(fixedPart(spec, oldSpec), fixedPart(oldSpec, oldSpec));
  return [...changedErrors(spec, oldSpec), ...(fixed ? [] : [forbidden('spec', fixedMessage)])];
}

/** What may change is checked again, and told twice. */
function changedErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  return sameValue(spec, old)
    ? []
    : [
        ...lists.flatMap((name) =>
          errorsOfEach(objectsAt(spec, name), (container, index) =>
            stringAt(container, 'image') === '' ? [required(`spec.${name}[${index}].image`)] : [],
          ),
        ),
        ...lists.flatMap((name) => checkExactImages(`spec.${name}`, objectsAt(spec, name))),
        ...checkTolerations('spec.tolerations', objectsAt(spec, 'tolerations')),
      ];
}

const fixedMessage =
  'pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, ' +
  '`spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)';

const lists = ['containers', 'initContainers'];

function countErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  return lists
    .filter((name) => objectsAt(spec, name).length !== objectsAt(old, name).length)
    .map((name) => forbidden(`spec.${name}`, 'pod updates may not add or remove containers'));
}

function deadlineErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const field = 'spec.activeDeadlineSeconds';
  const seconds = numberAt(spec, 'activeDeadlineSeconds');
  const oldSeconds = numberAt(old, 'activeDeadlineSeconds');
  if (oldSeconds === undefined) return [];
  if (seconds === undefined) return [invalid(field, null, 'must not update from a positive integer to nil value')];
  return seconds > oldSeconds ? [invalid(field, seconds, 'must be less than or equal to previous value')] : [];
}

function tolerationErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const kept = new Set(objectsAt(spec, 'tolerations').map(identityOfToleration));
  const missing = objectsAt(old, 'tolerations').some((toleration) => !kept.has(identityOfToleration(toleration)));
  return missing
    ? [forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')]
    : [];
}

function identityOfToleration({ tolerationSeconds: _seconds, ...toleration }: JsonObject): string {
  return identityOfValue(toleration);
}

/** What no update may change. A grace period below none may become the shortest there is. */
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
