import { checkTolerations } from '../../../kinds/core/check-tolerations.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import {
  type NameRule,
  validateDnsLabel,
  validateDnsSubdomain,
  validateQualifiedName,
} from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkDeletionCost, checkPodAnnotations } from './annotations.ts';
import { isSet, isTrue, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { checkContainerResources } from '../../rules/fields/resource-amounts.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { checkLabels } from '../../rules/fields/labels.ts';
import { checkPreemptionPolicy } from '../../rules/fields/preemption-policy.ts';
import { checkContainers, checkExactImages, checkHostNetworkPorts, checkInitContainers } from './container.ts';
import { checkDns, checkHostAliases } from './dns.ts';
import { checkAffinity, checkTopologySpread } from './scheduling.ts';
import { checkPodSecurity } from './security-context.ts';
import { checkVolumes } from './volume.ts';

/** The longest deadline in seconds: the largest signed 32-bit integer. */
const deadlineLimit = 2_147_483_647;

/** All errors of a pod spec, of a Pod or of a template. */
export function validatePodSpec(spec: JsonObject, path: string): readonly FieldError[] {
  const { errors, mountable } = checkVolumes(`${path}.volumes`, objectsAt(spec, 'volumes'));
  const containers = objectsAt(spec, 'containers');
  return allErrors(
    errors,
    containers.length === 0 ? [required(`${path}.containers`)] : noErrors,
    checkContainers(`${path}.containers`, containers, mountable),
    checkInitContainers(`${path}.initContainers`, objectsAt(spec, 'initContainers'), containers, mountable),
    restartErrors(stringAt(spec, 'restartPolicy'), `${path}.restartPolicy`),
    checkLabels(`${path}.nodeSelector`, spec, 'nodeSelector'),
    isTrue(spec, 'hostNetwork') ? checkHostNetworkPorts(`${path}.containers`, containers) : noErrors,
    checkPodSecurity(`${path}.securityContext`, spec),
    isSet(spec, 'affinity') ? checkAffinity(`${path}.affinity`, objectAt(spec, 'affinity')) : noErrors,
    checkDns(`${path}.dnsConfig`, spec),
    checkEach(`${path}.readinessGates`, objectsAt(spec, 'readinessGates'), (gate, at) =>
      checkString(`${at}.conditionType`, stringAt(gate, 'conditionType'), validateQualifiedName),
    ),
    checkTopologySpread(`${path}.topologySpreadConstraints`, objectsAt(spec, 'topologySpreadConstraints')),
    nameErrors(spec, path, nameRules),
    deadlineErrors(numberAt(spec, 'activeDeadlineSeconds'), `${path}.activeDeadlineSeconds`),
    nameErrors(spec, path, hostNameRules),
    checkTolerations(`${path}.tolerations`, objectsAt(spec, 'tolerations')),
    checkHostAliases(`${path}.hostAliases`, spec),
    nameErrors(spec, path, classNameRules),
    checkPreemptionPolicy(path, spec),
    checkContainerResources(`${path}.overhead`, { limits: objectAt(spec, 'overhead') }),
  );
}

const restartPolicies = ['Always', 'OnFailure', 'Never'];

/**
 * The schema has this rule too. It is repeated here because the rule by which a workload restricts
 * the policies replaces that error.
 */
function restartErrors(policy: string, field: string): readonly FieldError[] {
  return policy === '' || restartPolicies.includes(policy) ? noErrors : [notSupported(field, policy, restartPolicies)];
}

/** The fields of a pod spec that hold names, with their rules. */
const nameRules = [
  ['serviceAccountName', validateDnsSubdomain],
  ['nodeName', validateDnsSubdomain],
] as const;
const hostNameRules = [
  ['hostname', validateDnsLabel],
  ['subdomain', validateDnsLabel],
] as const;
const classNameRules = [
  ['priorityClassName', validateDnsSubdomain],
  ['runtimeClassName', validateDnsSubdomain],
] as const;

function nameErrors(
  spec: JsonObject,
  path: string,
  rules: readonly (readonly [name: string, rule: NameRule])[],
): readonly FieldError[] {
  return errorsOfEach(rules, ([name, rule]) => {
    const value = stringAt(spec, name);
    return value === '' ? noErrors : checkString(`${path}.${name}`, value, rule);
  });
}

function deadlineErrors(seconds: number | undefined, field: string): readonly FieldError[] {
  return seconds !== undefined && (seconds < 1 || seconds > deadlineLimit)
    ? [invalid(field, seconds, `must be between 1 and ${deadlineLimit}, inclusive`)]
    : noErrors;
}

/** The errors of a new Pod only: it has no ephemeral containers, and a cost is a number. */
export function validateNewPod(pod: JsonObject): readonly FieldError[] {
  return allErrors(
    checkDeletionCost(pod),
    objectsAt(objectAt(pod, 'spec'), 'ephemeralContainers').length > 0
      ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
      : noErrors,
  );
}

/** All errors of a Pod except those of its metadata. */
export function validatePod(pod: JsonObject): readonly FieldError[] {
  const spec = objectAt(pod, 'spec');
  return allErrors(
    checkPodAnnotations(pod),
    validatePodSpec(spec, 'spec'),
    tokenErrors(spec),
    checkExactImages('spec.containers', objectsAt(spec, 'containers')),
    checkExactImages('spec.initContainers', objectsAt(spec, 'initContainers')),
  );
}

/** Refuses projected service account tokens if the Pod has no service account. */
function tokenErrors(spec: JsonObject): readonly FieldError[] {
  if (stringAt(spec, 'serviceAccountName') !== '') return noErrors;
  return checkEach('spec.volumes', objectsAt(spec, 'volumes'), (volume, path) =>
    checkEach(`${path}.projected.sources`, objectsAt(objectAt(volume, 'projected'), 'sources'), (source, at) =>
      isSet(source, 'serviceAccountToken')
        ? [forbidden(`${at}.serviceAccountToken`, 'must not be specified when serviceAccountName is not set')]
        : noErrors,
    ),
  );
}
