import type { JsonObject } from '../../../meta/json-value.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../../../status/field-error.ts';
import { checkTemplateAnnotations } from '../../core/pods/annotations.ts';
import { validatePodSpec } from '../../core/pods/validate.ts';
import { isSet, isTrue, objectAt, objectsAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import { isValidatedPart } from '../../../scheme/validated-parts.ts';
import { checkEach, checkString } from '../fields/check.ts';
import { checkLabels } from '../fields/labels.ts';

/**
 * Checks the labels, annotations and spec of a pod template. A part that is marked as validated is
 * skipped.
 */
export function checkPodTemplate(field: string, template: JsonObject): readonly FieldError[] {
  if (isValidatedPart(template)) return noErrors;
  return allErrors(
    checkTemplateMetadata(field, template),
    validatePodSpec(objectAt(template, 'spec'), `${field}.spec`),
  );
}

/** Checks the labels and annotations of a pod template. */
export function checkTemplateMetadata(field: string, template: JsonObject): readonly FieldError[] {
  return allErrors(
    checkLabels(`${field}.labels`, objectAt(template, 'metadata'), 'labels'),
    checkAnnotationKeys(`${field}.annotations`, objectAt(template, 'metadata')),
    checkTemplateAnnotations(`${field}.annotations`, template),
  );
}

function checkAnnotationKeys(field: string, metadata: JsonObject): readonly FieldError[] {
  return errorsOfEach(stringEntriesAt(metadata, 'annotations'), ([key]) =>
    checkString(field, key.toLowerCase(), validateQualifiedName),
  );
}

/**
 * Refuses writable GCE persistent disks: several pods can mount such a disk only if it is
 * read-only.
 */
export function checkSharedDisks(field: string, template: JsonObject): readonly FieldError[] {
  const volumes = objectsAt(objectAt(template, 'spec'), 'volumes');
  return checkEach(`${field}.spec.volumes`, volumes, (volume, path) =>
    isSet(volume, 'gcePersistentDisk') && !isTrue(objectAt(volume, 'gcePersistentDisk'), 'readOnly')
      ? [
          invalid(
            `${path}.gcePersistentDisk.readOnly`,
            false,
            'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only',
          ),
        ]
      : noErrors,
  );
}

/** Checks that the restart policy of a pod template is one of `allowed`. */
export function checkRestartPolicy(
  field: string,
  template: JsonObject,
  allowed: readonly string[],
): readonly FieldError[] {
  const policy = stringAt(objectAt(template, 'spec'), 'restartPolicy');
  return allowed.includes(policy) ? noErrors : [notSupported(`${field}.spec.restartPolicy`, policy, allowed)];
}

/** Refuses `activeDeadlineSeconds`: the pods of this workload run until they are deleted. */
export function checkNoDeadline(field: string, template: JsonObject, kind: string): readonly FieldError[] {
  return isSet(objectAt(template, 'spec'), 'activeDeadlineSeconds')
    ? [forbidden(`${field}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`)]
    : noErrors;
}
