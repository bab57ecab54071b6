import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { validateDnsSubdomain, validateQualifiedName } from '../../../meta/validate-name.ts';
import type { SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, forbidden, internalError, invalid } from '../../../status/field-error.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { checkIpAddress, isIpAddress } from '../../rules/fields/ip.ts';
import { repeatsOf } from '../../rules/fields/repeats.ts';
import { keepMetadata } from '../../rules/fields/keep-metadata.ts';
import { checkDeletionCost, checkKeptAnnotations, checkPodAnnotations } from './annotations.ts';

/** The `status` sub-resource of a pod. Owner references and the deletion timestamp are kept. */
export const podStatus: SubresourceStrategy = {
  ...keepMetadata(['ownerReferences', 'deletionTimestamp']),
  default: mirrorPodIp,
  validateUpdate: validatePodStatus,
};

/**
 * Keeps `podIP` equal to the first of `podIPs`. If they differ `podIP` wins, because older clients
 * write only that. Mutates.
 */
function mirrorPodIp(pod: JsonObject): void {
  const status = objectAt(pod, 'status');
  const podIp = stringAt(status, 'podIP');
  const [first] = objectsAt(status, 'podIPs');
  const firstIp = first ? stringAt(first, 'ip') : '';
  if (podIp !== '' && podIp !== firstIp) status['podIPs'] = [{ ip: podIp }];
  else if (podIp === '' && firstIp !== '') status['podIP'] = firstIp;
}

function validatePodStatus(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const status = objectAt(pod, 'status');
  return allErrors(
    checkKeptAnnotations(pod, old),
    checkPodAnnotations(pod),
    checkDeletionCost(pod, old),
    checkEach('metadata.conditions', objectsAt(status, 'conditions'), checkCondition),
    checkNominated(status, objectAt(old, 'status')),
    ...statusLists.map((name) => checkEnded(name, pod, old)),
    addressErrors(objectsAt(status, 'podIPs').map((one) => stringAt(one, 'ip'))),
  );
}

/**
 * Checks the addresses of a pod: at most one of each IP family. The families of several addresses
 * are unknown if one is invalid.
 */
function addressErrors(addresses: readonly string[]): readonly FieldError[] {
  const field = 'status.podIPs';
  const families = new Set(addresses.map((address) => address.includes(':')));
  const isOneOnly = addresses.length < 2;
  const areValid = isOneOnly || addresses.every(isIpAddress);
  return allErrors(
    checkEach(field, addresses, (address, path) => checkIpAddress(path, address)),
    areValid ? noErrors : [internalError(field, 'failed to check for dual stack with error:ip <nil> is invalid')],
    !isOneOnly && (addresses.length > families.size || !areValid)
      ? [invalid(field, addresses, 'may specify no more than one IP for each IP family')]
      : noErrors,
    errorsOfEach([...repeatsOf(addresses)], (index) => [duplicate(`${field}[${index}]`, addresses[index])]),
  );
}

const ownConditions = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** Checks the type of a condition, unless it is one of Kubernetes' own. */
function checkCondition(condition: JsonObject, path: string): readonly FieldError[] {
  const type = stringAt(condition, 'type');
  return ownConditions.has(type) ? noErrors : checkString(`${path}.Type`, type, validateQualifiedName);
}

function checkNominated(status: JsonObject, old: JsonObject): readonly FieldError[] {
  const name = stringAt(status, 'nominatedNodeName');
  if (name === '' || name === stringAt(old, 'nominatedNodeName')) return noErrors;
  return checkString('status.nominatedNodeName', name, validateDnsSubdomain);
}

const statusLists = ['containerStatuses', 'initContainerStatuses'];

/** Refuses to restart containers that have ended, if the restart policy forbids it. */
function checkEnded(list: string, pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const policy = stringAt(objectAt(old, 'spec'), 'restartPolicy');
  if (policy === 'Always') return noErrors;
  const now = objectsAt(objectAt(pod, 'status'), list);
  return checkEach(`status.${list}`, objectsAt(objectAt(old, 'status'), list), (before, path) => {
    const ended = endedWith(before);
    if (ended === undefined || (ended !== 0 && policy === 'OnFailure')) return noErrors;
    const revived = now.some((after) => after['name'] === before['name'] && endedWith(after) === undefined);
    return revived ? [forbidden(`${path}.state`, 'may not be transitioned to non-terminated state')] : noErrors;
  });
}

/** The exit code of a container that has ended; undefined if it has not. */
function endedWith(container: JsonObject): number | undefined {
  const state = objectAt(container, 'state');
  return isSet(state, 'terminated') ? (numberAt(objectAt(state, 'terminated'), 'exitCode') ?? 0) : undefined;
}
