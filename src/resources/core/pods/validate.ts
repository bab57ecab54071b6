import type { Pod, PodSpec } from '../../../gen/stored/core-v1.ts';
import { checkTolerations } from '../../../kinds/core/check-tolerations.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, invalid, notFoundField, notSupported } from '../../../status/field-error.ts';
import { checkLabels } from '../../rules/fields/labels.ts';
import { checkPreemptionPolicy } from '../../rules/fields/preemption-policy.ts';
import { checkContainerResources } from '../../rules/fields/resource-amounts.ts';
import { checkDeletionCost, checkPodAnnotations } from './annotations.ts';
import { checkContainers, checkInitContainers } from './containers/check-containers.ts';
import { checkPodSecurity } from './containers/security-context.ts';
import { checkDns } from './dns.ts';
import { checkHostnameOverride, checkHostUsers } from './host-parts.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { numberOperators, withOperatorsOf } from './number-operators.ts';
import { checkOs, eachContainer } from './os.ts';
import { checkPodResources } from './pod-resources.ts';
import { checkResourceClaims } from './containers/resource-claims.ts';
import { checkAffinity, checkSchedulingGates, checkTopologySpread } from './check-scheduling.ts';
import { checkPodVolumes } from './volumes/check-pod-volumes.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkIpAddress, isIpAddress } from '../../rules/fields/ip.ts';

/** Checks the host aliases of a Pod. Before 1.33 errors are at the list, not at the item. */
function checkHostAliases(spec: FieldCursor<PodSpec>, { release }: EmulatedRelease): void {
  const { path } = spec.at('hostAliases');
  for (const alias of spec.each('hostAliases')) {
    const { value, errors } = alias;
    const { ip = '', hostnames = [] } = value;
    if (isSince(release, '1.33')) {
      alias.report(...checkIpAddress(`${alias.path}.ip`, ip));
      for (const [index, name] of hostnames.entries())
        alias.report(...checkString(`${alias.path}.hostnames[${index}]`, name, validateDnsSubdomain));
      continue;
    }
    if (!isIpAddress(ip)) errors.push(invalid(`${path}.ip`, ip, 'must be valid IP address'));
    errors.push(...errorsOfEach(hostnames, (name) => checkString(`${path}.hostnames`, name, validateDnsSubdomain)));
  }
}

/** Checks the spec of a Pod or of a pod template; templates may leave out host ports. */
export function checkPodSpec(
  spec: FieldCursor<PodSpec>,
  emulated: EmulatedRelease,
  { isTemplate = false }: { readonly isTemplate?: boolean } = {},
): void {
  const volumes = checkPodVolumes(spec, emulated);
  checkResourceClaims(spec);
  checkContainers(spec, { volumes, emulated, isTemplate });
  checkInitContainers(spec, { volumes, emulated, isTemplate });
  checkFileKeyVolumes(spec);
  checkPodResources(spec, emulated);
  checkRestart(spec.at('restartPolicy'));
  spec.report(...checkLabels(`${spec.path}.nodeSelector`, spec.value.nodeSelector));
  checkPodSecurity(spec, emulated);
  checkAffinity(spec.at('affinity'));
  checkDns(spec, emulated);
  checkTopologySpread(spec, emulated);
  checkSchedulingGates(spec);
  checkHostUsers(spec, emulated);
  checkHostnameOverride(spec);
  checkDeadline(spec.at('activeDeadlineSeconds'));
  const numbers = numberOperators(emulated);
  spec.report(...checkTolerations(`${spec.path}.tolerations`, spec.value.tolerations ?? [], numbers));
  checkHostAliases(spec, emulated);
  spec.report(...checkPreemptionPolicy(spec.path, spec.value));
  spec.report(...checkContainerResources(`${spec.path}.overhead`, { limits: spec.value.overhead }));
  checkOs(spec);
}

/** Checks that variables from files refer to an emptyDir volume of the pod. */
function checkFileKeyVolumes(spec: FieldCursor<PodSpec>): void {
  for (const container of eachContainer(spec)) {
    for (const variable of container.each('env')) {
      const name = variable.at('valueFrom').at('fileKeyRef').at('volumeName');
      if (name.value === undefined) continue;
      const volume = (spec.value.volumes ?? []).find((one) => one.name === name.value);
      if (!volume) name.report(notFoundField(name.path, name.value));
      else if (!volume.emptyDir) name.reportInvalid('referenced volume must be of type emptyDir');
    }
  }
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

/**
 * The errors of a new Pod only: it has no ephemeral containers, no node while gates keep it from
 * one, and a cost is a number.
 */
export function validateNewPod(pod: Pod): readonly FieldError[] {
  const images = new FieldCursor(pod).at('spec');
  for (const volume of images.each('volumes')) {
    const image = volume.at('image');
    // In a template the reference may be missing, because the controller can set it.
    if (image.isPresent()) image.at('reference').mustBeSet();
  }
  const { ephemeralContainers = [], nodeName, schedulingGates = [] } = pod.spec;
  const isPlaced = nodeName !== undefined && nodeName !== '' && schedulingGates.length > 0;
  return [
    ...images.errors,
    ...(isPlaced ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')] : []),
    ...checkDeletionCost(pod),
    ...(ephemeralContainers.length > 0 ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')] : []),
  ];
}

/** All errors of a Pod except the errors of its metadata. */
export function validatePod(
  pod: Pod,
  { emulated }: Pick<StrategyContext, 'emulated'>,
  old?: Pod,
): readonly FieldError[] {
  const spec = new FieldCursor(pod).at('spec');
  spec.report(...checkPodAnnotations(pod));
  checkPodSpec(spec, withOperatorsOf(old?.spec, emulated));
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
