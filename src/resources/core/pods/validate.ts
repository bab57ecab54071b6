import type { Pod, PodSpec, PodDNSConfig } from '../../../gen/stored/core-v1.ts';
import { checkTolerations } from '../../../kinds/core/check-tolerations.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, notSupported, invalid } from '../../../status/field-error.ts';
import { checkLabels } from '../../rules/fields/labels.ts';
import { checkPreemptionPolicy } from '../../rules/fields/preemption-policy.ts';
import { checkContainerResources } from '../../rules/fields/resource-amounts.ts';
import { checkDeletionCost, checkPodAnnotations } from './annotations.ts';
import { checkContainers, checkInitContainers } from './containers/containers.ts';
import { checkPodSecurity } from './containers/security-context.ts';
import { checkAffinity, checkSchedulingGates, checkTopologySpread } from './scheduling.ts';
import { checkVolumes } from './volumes/volumes.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import { checkString } from '../../rules/fields/check.ts';
import { isIpAddress } from '../../rules/fields/ip.ts';

/** Limits of resolv.conf. */
const limits = Object.freeze({ nameservers: 3, searches: 6, searchCharacters: 256 });

/** Checks the DNS configuration of a Pod. */
function checkDns(spec: FieldCursor<PodSpec>): void {
  const isAlone = spec.value.dnsPolicy === 'None';
  const config = spec.at('dnsConfig');
  if (!config.isPresent()) {
    if (isAlone) config.reportRequired('must provide `dnsConfig` when `dnsPolicy` is None');
    return;
  }
  const nameservers = config.at('nameservers');
  const count = nameservers.value?.length ?? 0;
  if (isAlone && count === 0) {
    nameservers.reportRequired('must provide at least one DNS nameserver when `dnsPolicy` is None');
    return;
  }
  if (count > limits.nameservers) {
    nameservers.reportInvalid(`must not have more than ${limits.nameservers} nameservers`);
  }
  for (const ip of config.each('nameservers')) {
    if (!isIpAddress(ip.value)) ip.reportInvalid('must be valid IP address');
  }
  checkSearches(config);
  for (const option of config.each('options')) {
    if (!option.value.name) option.reportRequired('must not be empty');
  }
}

function checkSearches(config: FieldCursor<PodDNSConfig>): void {
  const searches = config.at('searches');
  const { value = [] } = searches;
  if (value.length > limits.searches) {
    searches.reportInvalid(`must not have more than ${limits.searches} search paths`);
  }
  if (value.join(' ').length > limits.searchCharacters) {
    const most = `${limits.searchCharacters} characters (including spaces)`;
    searches.reportInvalid(`must not have more than ${most} in the search list`);
  }
  for (const search of config.each('searches')) {
    const name = search.value.replace(/\.$/, '');
    search.report(...checkString(search.path, name, validateDnsSubdomain));
  }
}

/** Checks the host aliases of a Pod. Errors are reported at the list, not at the item. */
function checkHostAliases(spec: FieldCursor<PodSpec>): void {
  const { path } = spec.at('hostAliases');
  for (const { value, errors } of spec.each('hostAliases')) {
    const { ip = '', hostnames = [] } = value;
    if (!isIpAddress(ip)) errors.push(invalid(`${path}.ip`, ip, 'must be valid IP address'));
    errors.push(...errorsOfEach(hostnames, (name) => checkString(`${path}.hostnames`, name, validateDnsSubdomain)));
  }
}

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
  checkSchedulingGates(spec);
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

/**
 * The errors of a new Pod only: it has no ephemeral containers, no node while gates keep it from
 * one, and a cost is a number.
 */
export function validateNewPod(pod: Pod): readonly FieldError[] {
  const { ephemeralContainers = [], nodeName, schedulingGates = [] } = pod.spec;
  const isPlaced = nodeName !== undefined && nodeName !== '' && schedulingGates.length > 0;
  return [
    ...(isPlaced ? [forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared')] : []),
    ...checkDeletionCost(pod),
    ...(ephemeralContainers.length > 0 ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')] : []),
  ];
}

/** All errors of a Pod except the errors of its metadata. */
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
