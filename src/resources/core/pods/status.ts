import type { ContainerStatus, Pod, PodCondition } from '../../../gen/stored/core-v1.ts';
import { validateDnsSubdomain, validateQualifiedName } from '../../../meta/validate-name.ts';
import type { SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate, type FieldError, internalError } from '../../../status/field-error.ts';
import { checkEach, checkString, repeatsOf } from '../../rules/fields/check.ts';
import { checkIpAddress, isIpAddress } from '../../rules/fields/ip.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { checkDeletionCost, checkKeptAnnotations, checkPodAnnotations } from './annotations.ts';

/** The `status` sub-resource of a pod. Owner references and the deletion timestamp are kept. */
export const podStatus: SubresourceStrategy<Pod> = {
  ...keepMetadata(['ownerReferences', 'deletionTimestamp']),
  default: mirrorPodIp,
  validateUpdate: validatePodStatus,
};

/**
 * Keeps `podIP` equal to the first of `podIPs`. If they differ `podIP` wins, because older clients
 * write only that. Mutates.
 */
function mirrorPodIp({ status }: Pod): void {
  const { podIP, podIPs } = status;
  const first = podIPs?.[0]?.ip;
  if (podIP && podIP !== first) status.podIPs = [{ ip: podIP }];
  else if (!podIP && first) status.podIP = first;
}

function validatePodStatus(pod: Pod, old: Pod): readonly FieldError[] {
  const cursor = new FieldCursor(pod);
  const status = cursor.at('status');
  status.report(
    ...checkKeptAnnotations(pod, old),
    ...checkPodAnnotations(pod),
    ...checkDeletionCost(pod, old),
    ...checkEach('metadata.conditions', pod.status.conditions ?? [], conditionErrors),
  );
  const nominated = status.at('nominatedNodeName');
  if (nominated.value !== old.status.nominatedNodeName) nominated.mustBe(validateDnsSubdomain);
  checkEnded('containerStatuses', cursor, old);
  checkEnded('initContainerStatuses', cursor, old);
  checkAddresses(status);
  return status.errors;
}

/**
 * Checks the addresses of a pod: at most one of each IP family. The families of several addresses
 * are unknown if one is invalid.
 */
function checkAddresses(status: FieldCursor<Pod['status']>): void {
  const addresses = (status.value.podIPs ?? []).map(({ ip = '' }) => ip);
  const families = new Set(addresses.map((address) => address.includes(':')));
  const isOneOnly = addresses.length < 2;
  const areValid = isOneOnly || addresses.every(isIpAddress);
  const list = status.at('podIPs');
  list.report(...checkEach(list.path, addresses, (address, path) => checkIpAddress(path, address)));
  if (!areValid) {
    list.report(internalError(list.path, 'failed to check for dual stack with error:ip <nil> is invalid'));
  }
  if (!isOneOnly && (addresses.length > families.size || !areValid)) {
    list.reportInvalid('may specify no more than one IP for each IP family', addresses);
  }
  list.report(
    ...errorsOfEach([...repeatsOf(addresses)], (index) => [duplicate(`${list.path}[${index}]`, addresses[index])]),
  );
}

const ownConditions = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Checks the type of a condition, unless it is one of Kubernetes' own. */
function conditionErrors({ type }: PodCondition, path: string): readonly FieldError[] {
  return ownConditions.has(type) ? [] : checkString(`${path}.Type`, type, validateQualifiedName);
}

/** Refuses to restart containers that have ended, if the restart policy forbids it. */
function checkEnded(
  list: 'containerStatuses' | 'initContainerStatuses',
  pod: FieldCursor<Pod>,
  { spec: { restartPolicy: policy }, status }: Pod,
): void {
  if (policy === 'Always') return;
  const { [list]: now = [] } = pod.value.status;
  for (const before of new FieldCursor(status, 'status', pod).each(list)) {
    const code = endedWith(before.value);
    if (code === undefined || (code !== 0 && policy === 'OnFailure')) continue;
    if (now.some((after) => after.name === before.value.name && endedWith(after) === undefined)) {
      before.at('state').reportForbidden('may not be transitioned to non-terminated state');
    }
  }
}

/** The exit code of a container that has ended; undefined if it has not. */
function endedWith({ state }: ContainerStatus): number | undefined {
  return state.terminated?.exitCode;
}
