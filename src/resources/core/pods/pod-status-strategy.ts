import type { ContainerStatus, Pod, PodCondition, PodSpec, PodStatus } from '../../../gen/stored/core-v1.ts';
import { validateDnsSubdomain, validateQualifiedName } from '../../../meta/validate-name.ts';
import { isSidecar, shouldRestart } from '../../../kinds/core/pod.ts';
import type { StrategyContext, SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate, type FieldError, internalError, invalid } from '../../../status/field-error.ts';
import { checkEach, checkString, repeatsOf } from '../../rules/fields/field-checks.ts';
import { checkIpAddress, isIpAddress } from '../../rules/fields/ip.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { checkDeletionCost, checkKeptAnnotations, checkPodAnnotations } from './annotations.ts';
import { checkClaimStatuses, checkContainerStatuses } from './check-container-statuses.ts';
import { containersOf } from './default.ts';

const kept = keepMetadata(['ownerReferences', 'deletionTimestamp']);

/** The `status` sub-resource of a pod. Owner references and the deletion timestamp are kept. */
export const podStatusStrategy: SubresourceStrategy<Pod> = {
  ...kept,
  prepareForUpdate: (pod, old, context) => {
    kept.prepareForUpdate?.(pod, old, context);
    // Older nodes leave `qosClass` out.
    if (old.status.qosClass && isSince(context.emulated.release, '1.32')) pod.status.qosClass ||= old.status.qosClass;
    keepObservedGenerations(pod.status, old.status);
  },
  default: mirrorPodIp,
  validateUpdate: validatePodStatus,
};

/**
 * Keeps the observed generations of the status and its conditions if the client, which may not know
 * them, leaves them out. Mutates.
 */
function keepObservedGenerations(status: PodStatus, old: PodStatus): void {
  if (!status.observedGeneration && old.observedGeneration) status.observedGeneration = old.observedGeneration;
  // A condition type may be repeated: the generation of its first entry counts.
  const before = new Map<string, (number | bigint)[]>();
  for (const { type, observedGeneration = 0 } of (old.conditions ?? []).toReversed()) {
    const list = before.get(type);
    if (list) list.push(observedGeneration);
    else before.set(type, [observedGeneration]);
  }
  for (const condition of status.conditions ?? []) {
    const observed = before.get(condition.type)?.pop();
    if (!condition.observedGeneration && observed) condition.observedGeneration = observed;
  }
}

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

function validatePodStatus(pod: Pod, old: Pod, { emulated }: StrategyContext): readonly FieldError[] {
  const cursor = new FieldCursor(pod);
  const status = cursor.at('status');
  const conditions = isSince(emulated.release, '1.33') ? 'status.conditions' : 'metadata.conditions';
  status.report(
    ...checkKeptAnnotations(pod, old),
    ...checkPodAnnotations(pod),
    ...checkDeletionCost(pod, old),
    ...checkEach(conditions, pod.status.conditions ?? [], conditionErrors),
  );
  checkNominated(status, old, emulated);
  const { observedGeneration = 0, qosClass } = pod.status;
  if (observedGeneration < 0) status.at('observedGeneration').reportInvalid('must be a non-negative integer');
  if (isSince(emulated.release, '1.32')) {
    status.report(...checkImmutable('status.qosClass', qosClass ?? '', old.status.qosClass ?? ''));
  }
  checkEnded('containerStatuses', cursor, old, emulated);
  checkEnded('initContainerStatuses', cursor, old, emulated);
  if (isSince(emulated.release, '1.28')) checkEnded('ephemeralContainerStatuses', cursor, old, emulated);
  checkClaimStatuses(cursor);
  checkAddresses(status, 'podIPs');
  checkAddresses(status, 'hostIPs');
  checkContainerStatuses(cursor);
  return status.errors;
}

function checkNominated(status: FieldCursor<PodStatus>, old: Pod, emulated: EmulatedRelease): void {
  const nominated = status.at('nominatedNodeName');
  if (!nominated.isSet || nominated.value === old.status.nominatedNodeName) return;
  nominated.mustBe(validateDnsSubdomain);
  if (old.spec.nodeName && emulated.isFeatureEnabled('ClearingNominatedNodeNameAfterBinding')) {
    nominated.reportForbidden('may not be set on pods that are already bound to a node');
  }
}

/**
 * Checks the IPs of a pod or of its host: at most one of each family. Families are only checked if
 * all IPs are valid.
 */
function checkAddresses(status: FieldCursor<PodStatus>, name: 'podIPs' | 'hostIPs'): void {
  const addresses = (status.value[name] ?? []).map(({ ip = '' }) => ip);
  const [firstHost] = name === 'hostIPs' ? addresses : [];
  if (firstHost !== undefined && firstHost !== status.value.hostIP) {
    status.report(invalid('status.hostIPs[0].ip', firstHost, 'must be equal to `hostIP`'));
  }
  const families = new Set(addresses.map((address) => address.includes(':')));
  const isOneOnly = addresses.length < 2;
  const areValid = isOneOnly || addresses.every(isIpAddress);
  const list = status.at(name);
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
function conditionErrors({ type, observedGeneration = 0 }: PodCondition, path: string): readonly FieldError[] {
  if (observedGeneration < 0) {
    return [invalid(`${path}.observedGeneration`, observedGeneration, 'must be a non-negative integer')];
  }
  return ownConditions.has(type) ? [] : checkString(`${path}.Type`, type, validateQualifiedName);
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

/** Refuses to restart containers that have ended, if the restart policy forbids it. */
function checkEnded(list: StatusList, pod: FieldCursor<Pod>, { spec, status }: Pod, emulated: EmulatedRelease): void {
  const { [list]: now = [] } = pod.value.status;
  for (const before of new FieldCursor(status, 'status', pod).each(list)) {
    const code = endedWith(before.value);
    if (code === undefined || mayRestart(list, before.value, spec, emulated)) continue;
    if (now.some((after) => after.name === before.value.name && endedWith(after) === undefined)) {
      before.at('state').reportForbidden('may not be transitioned to non-terminated state');
    }
  }
}

/** True if an ended container may be restarted; ephemeral containers never are. */
function mayRestart(list: StatusList, ended: ContainerStatus, spec: PodSpec, emulated: EmulatedRelease): boolean {
  if (list === 'ephemeralContainerStatuses') return false;
  const lists = list === 'containerStatuses' ? spec.containers : spec.initContainers;
  const container = (lists ?? []).find(({ name }) => name === ended.name);
  const code = endedWith(ended) ?? 0;
  if (list === 'initContainerStatuses' && container && isSidecar(container)) return true;
  // A rule for an exit code may restart the other containers too.
  if (container && emulated.isFeatureEnabled('ContainerRestartRules')) {
    return shouldRestart(container, spec.restartPolicy, code) || restartsAll(spec);
  }
  return spec.restartPolicy === 'Always' || (code !== 0 && spec.restartPolicy === 'OnFailure');
}

/** True if a container has a rule that may restart all containers of the pod. */
function restartsAll(spec: PodSpec): boolean {
  return containersOf(spec).some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );
}

/** The exit code of a container that has ended; undefined if it has not. */
function endedWith({ state }: ContainerStatus): number | undefined {
  return state.terminated?.exitCode;
}
