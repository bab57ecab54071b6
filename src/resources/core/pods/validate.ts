import type { Pod, PodSpec } from '../../../gen/stored/core-v1.ts';
import { checkTolerations } from '../../../kinds/core/check-tolerations.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, notSupported } from '../../../status/field-error.ts';
import { checkLabels } from '../../rules/fields/labels.ts';
import { checkPreemptionPolicy } from '../../rules/fields/preemption-policy.ts';
import { checkContainerResources } from '../../rules/fields/resource-amounts.ts';
import { checkDeletionCost, checkPodAnnotations } from './annotations.ts';
import { checkContainers, checkInitContainers } from './containers/containers.ts';
import { checkPodSecurity } from './containers/security-context.ts';
import { checkDns, checkHostAliases } from './dns.ts';
import { checkAffinity, checkTopologySpread } from './scheduling.ts';
import { checkVolumes } from './volumes/volumes.ts';

/** Checks a pod spec, of a Pod or of a template. */
export function checkPodSpec(spec: FieldCursor<PodSpec>): void {
  const mountable = checkVolumes(spec);
  checkContainers(spec, 'containers', mountable);
  checkInitContainers(spec, mountable);
  checkRestart(spec.at('restartPolicy'));
  spec.report(...checkLabels(`${spec.path}.nodeSelector`, spec.value.nodeSelector));
  checkPodSecurity(spec);
  checkAffinity(spec.at('affinity'));
  checkDns(spec);
  checkTopologySpread(spec);
  checkDeadline(spec.at('activeDeadlineSeconds'));
  spec.report(...checkTolerations(`${spec.path}.tolerations`, spec.value.tolerations ?? []));
  checkHostAliases(spec);
  spec.report(...checkPreemptionPolicy(spec.path, spec.value));
  spec.report(...checkContainerResources(`${spec.path}.overhead`, { limits: spec.value.overhead }));
}

const restartPolicies = ['Always', 'OnFailure', 'Never'];

/**
 * The schema has this rule too. It is repeated here because the rule by which a workload restricts
 * the policies replaces that error.
 */
function checkRestart({ value, path, errors }: FieldCursor<string>): void {
  if (!restartPolicies.includes(value)) errors.push(notSupported(path, value, restartPolicies));
}

/** The longest deadline in seconds: the largest signed 32-bit integer. */
const deadlineLimit = 2_147_483_647;

/** The schema has this rule too; here it is for workloads that have no deadline. */
function checkDeadline(deadline: FieldCursor<PodSpec['activeDeadlineSeconds']>): void {
  const { value = 1 } = deadline;
  if (value < 1 || value > deadlineLimit) deadline.reportInvalid(`must be between 1 and ${deadlineLimit}, inclusive`);
}

/** The errors of a new Pod only: it has no ephemeral containers, and a cost is a number. */
export function validateNewPod(pod: Pod): readonly FieldError[] {
  const { ephemeralContainers = [] } = pod.spec;
  return [
    ...checkDeletionCost(pod),
    ...(ephemeralContainers.length > 0 ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')] : []),
  ];
}

/** All errors of a Pod except those of its metadata. */
export function validatePod(pod: Pod): readonly FieldError[] {
  const spec = new FieldCursor(pod).at('spec');
  spec.report(...checkPodAnnotations(pod));
  checkPodSpec(spec);
  if (!pod.spec.serviceAccountName) refuseTokens(spec);
  for (const list of ['containers', 'initContainers'] as const) checkExactImages(spec, list);
  return spec.errors;
}

/** Refuses whitespace around the images of a Pod; pod templates are not checked. */
function checkExactImages(spec: FieldCursor<PodSpec>, list: 'containers' | 'initContainers'): void {
  for (const container of spec.each(list)) {
    const { image = '' } = container.value;
    if (image.trim() !== image) container.at('image').reportInvalid('must not have leading or trailing whitespace');
  }
}

/** Refuses projected service account tokens, for a Pod without a service account. */
function refuseTokens(spec: FieldCursor<PodSpec>): void {
  for (const volume of spec.each('volumes')) {
    for (const source of volume.at('projected').each('sources')) {
      if (!source.value.serviceAccountToken) continue;
      source.at('serviceAccountToken').reportForbidden('must not be specified when serviceAccountName is not set');
    }
  }
}
