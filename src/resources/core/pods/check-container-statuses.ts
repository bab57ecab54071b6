import type { Container, ContainerStatus, Pod, ResourceStatus } from '../../../gen/stored/core-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate, forbidden, invalid, notSupported } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/field-checks.ts';

/** Checks the resource claims in a status: each must be in the spec, without duplicates. */
export function checkClaimStatuses(pod: FieldCursor<Pod>): void {
  const known = new Set((pod.value.spec.resourceClaims ?? []).map(({ name }) => name));
  const seen = new Set<string>();
  for (const claim of pod.at('status').each('resourceClaimStatuses')) {
    const [name, made] = [claim.at('name'), claim.at('resourceClaimName')];
    if (!known.has(name.value)) name.reportInvalid('must match the name of an entry in `spec.resourceClaims`');
    name.mustBeUnique(seen);
    if (made.value !== undefined) claim.report(...checkString(name.path, made.value, validateDnsSubdomain));
  }
  checkExtendedClaim(pod);
}

/** Checks the status of the claim for extended resources. */
function checkExtendedClaim(pod: FieldCursor<Pod>): void {
  const status = pod.at('status').at('extendedResourceClaimStatus');
  if (!status.isPresent()) return;
  const { initContainers = [], containers } = pod.value.spec;
  const all = [...initContainers, ...(containers ?? [])];
  if (!status.value.requestMappings?.length) {
    status.at('requestMappings').reportRequired('at least one request mapping is required');
  }
  const seen = new Set<string>();
  for (const mapping of status.each('requestMappings')) {
    const [container, resource] = [mapping.at('containerName'), mapping.at('resourceName')];
    const found = all.find(({ name }) => name === container.value);
    if (!found) container.reportInvalid(`must match the name of an entry in ${namesOf('name')}`);
    else if (!Object.hasOwn(found.resources.requests ?? {}, resource.value ?? '')) {
      resource.reportInvalid(`must match the extended resource name of an entry in ${namesOf('resources.requests')}`);
    }
    mapping.report(...checkString(`${status.path}.requestName`, mapping.value.requestName ?? '', validateDnsLabel));
    const key = JSON.stringify([container.value, resource.value, mapping.value.requestName]);
    if (seen.has(key)) for (const field of [container, resource, mapping.at('requestName')]) field.reportDuplicate();
    seen.add(key);
  }
  const claim = status.at('resourceClaimName');
  claim.mustBeSet();
  claim.mustBe(validateDnsSubdomain);
}

function namesOf(part: string): string {
  return `spec.initContainers.${part} or spec.containers.${part}`;
}

const lists = [
  ['containerStatuses', 'containers'],
  ['initContainerStatuses', 'initContainers'],
  ['ephemeralContainerStatuses', undefined],
] as const;

/** Checks the users and devices in container statuses. */
export function checkContainerStatuses(pod: FieldCursor<Pod>): void {
  const { spec } = pod.value;
  for (const [list, ofSpec] of lists) {
    for (const status of pod.at('status').each(list)) {
      checkUser(status, spec.os?.name);
      const devices = status.at('allocatedResourcesStatus');
      if (ofSpec)
        checkDevices(
          status,
          (spec[ofSpec] ?? []).find(({ name }) => name === status.value.name),
        );
      else if (devices.value?.length) devices.reportForbidden('must not be specified in container status');
    }
  }
}

const idLimit = 2 ** 31 - 1;

/** Checks the user of a container. As in kube-apiserver the paths of errors lack `user`. */
function checkUser(status: FieldCursor<ContainerStatus>, os = 'linux'): void {
  const linux = status.value.user?.linux;
  if (!linux) return;
  const path = `${status.path}.linux`;
  if (os === 'windows') return status.report(forbidden(path, 'cannot be set for a windows pod'));
  const ids = [
    ['uid', linux.uid],
    ['gid', linux.gid],
    ...(linux.supplementalGroups ?? []).map((id, index) => [`supplementalGroups[${index}]`, id] as const),
  ] as const;
  for (const [name, id] of ids) {
    if (id >= 0 && id <= idLimit) continue;
    status.report(invalid(`${path}.${name}`, id, `must be between 0 and ${idLimit}, inclusive`));
  }
}

const healths = ['Healthy', 'Unhealthy', 'Unknown'];
const claimPrefix = 'claim:';

function checkDevices(status: FieldCursor<ContainerStatus>, container: Container | undefined): void {
  for (const device of status.each('allocatedResourcesStatus')) {
    const problem = container && deviceProblem(device.value, container);
    if (problem) device.at('name').reportInvalid(problem);
    const seen = new Set<string>();
    for (const part of device.each('resources')) {
      const { health, resourceID: id } = part.value;
      if (!healths.includes(health)) part.report(notSupported(`${part.path}.health`, health, healths));
      if (seen.has(id)) part.report(duplicate(`${part.path}.resourceID`, id));
      seen.add(id);
    }
  }
}

/** The reason why a container does not use a resource or claim; undefined if it does. */
function deviceProblem({ name }: ResourceStatus, { resources }: Container): string | undefined {
  if (!name.startsWith(claimPrefix)) {
    const isRequested = getOwn(resources.requests ?? {}, name) !== undefined;
    return isRequested ? undefined : "must match one of the container's resource requests";
  }
  const claims = (resources.claims ?? []).map((claim) => [claim.name, claim.request].filter(Boolean).join('/'));
  return claims.includes(name.slice(claimPrefix.length))
    ? undefined
    : "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or " +
        "'claim:<claimName>' if request is empty";
}
