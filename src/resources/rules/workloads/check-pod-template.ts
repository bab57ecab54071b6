import type { PodTemplateSpec } from '../../../gen/stored/core-v1.ts';
import { validateQualifiedName } from '../../../meta/validate-name.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { isValidatedPart } from '../../../scheme/validated-parts.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { notSupported } from '../../../status/field-error.ts';
import { checkTemplateAnnotations } from '../../core/pods/annotations.ts';
import { checkPodSpec } from '../../core/pods/validate.ts';
import { checkString } from '../fields/field-checks.ts';
import { checkLabels } from '../fields/labels.ts';

/**
 * Checks the labels, annotations and spec of a pod template. A part that is marked as validated is
 * skipped.
 */
export function checkPodTemplate(template: FieldCursor<PodTemplateSpec>, emulated: EmulatedRelease): void {
  if (isValidatedPart(template.value)) return;
  checkTemplateMetadata(template);
  checkPodSpec(template.at('spec'), emulated, { isTemplate: true });
}

/** Checks the labels and annotations of a pod template. Their fields lack `metadata` in errors. */
export function checkTemplateMetadata(template: FieldCursor<PodTemplateSpec>): void {
  const { metadata } = template.value;
  template.report(...checkLabels(`${template.path}.labels`, metadata.labels));
  const field = `${template.path}.annotations`;
  template.report(
    ...errorsOfEach(Object.keys(metadata.annotations ?? {}), (key) =>
      checkString(field, key.toLowerCase(), validateQualifiedName),
    ),
  );
  template.report(...checkTemplateAnnotations(field, template.value));
}

/**
 * Refuses writable GCE persistent disks: several pods can mount such a disk only if it is
 * read-only.
 */
export function checkSharedDisks(template: FieldCursor<PodTemplateSpec>): void {
  for (const volume of template.at('spec').each('volumes')) {
    const disk = volume.at('gcePersistentDisk');
    if (disk.value && !disk.value.readOnly) disk.at('readOnly').reportInvalid(sharedDisk, false);
  }
}

const sharedDisk =
  'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only';

/** Checks that the restart policy of a pod template is one of `allowed`. */
export function checkRestartPolicy(template: FieldCursor<PodTemplateSpec>, allowed: readonly string[]): void {
  const { value, path, errors } = template.at('spec').at('restartPolicy');
  if (!allowed.includes(value)) errors.push(notSupported(path, value, allowed));
}
