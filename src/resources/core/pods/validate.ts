import type { JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel, validateDnsSubdomain, validateQualifiedName } from '../../../meta/validate-name.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import { isTrue, numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { checkEach, checkNotNegative, checkString } from '../../rules/check.ts';
import { checkLabels } from '../../rules/labels.ts';
import { checkContainers, checkHostNetworkPorts, checkInitContainers } from './container.ts';
import { checkDns, checkHostAliases } from './dns.ts';
import { checkAffinity, checkTolerations, checkTopologySpread } from './scheduling.ts';
import { checkPodSecurity } from './security-context.ts';
import { checkVolumes } from './volume.ts';

/** The longest deadline that fits a signed 32-bit number of seconds. */
const deadlineLimit = 2_147_483_647;

/** Every error of a pod spec, in a Pod or in a template. */
export function validatePodSpec(spec: JsonObject, path: string): FieldError[] {
  const volumes = objectsAt(spec, 'volumes');
  const names = new Set(volumes.map((volume) => stringAt(volume, 'name')));
  const containers = objectsAt(spec, 'containers');
  return [
    ...checkVolumes(`${path}.volumes`, volumes),
    ...(containers.length === 0 ? [required(`${path}.containers`)] : []),
    ...checkContainers(`${path}.containers`, containers, names),
    ...checkInitContainers(`${path}.initContainers`, objectsAt(spec, 'initContainers'), containers, names),
    ...checkLabels(`${path}.nodeSelector`, spec, 'nodeSelector'),
    ...(isTrue(spec, 'hostNetwork') ? checkHostNetworkPorts(`${path}.containers`, containers) : []),
    ...checkPodSecurity(`${path}.securityContext`, spec),
    ...checkAffinity(`${path}.affinity`, objectAt(spec, 'affinity')),
    ...checkDns(`${path}.dnsConfig`, spec),
    ...checkEach(`${path}.readinessGates`, objectsAt(spec, 'readinessGates'), (gate, at) =>
      checkString(`${at}.conditionType`, stringAt(gate, 'conditionType'), validateQualifiedName),
    ),
    ...checkTopologySpread(`${path}.topologySpreadConstraints`, objectsAt(spec, 'topologySpreadConstraints')),
    ...nameErrors(spec, path),
    ...checkNotNegative(`${path}.terminationGracePeriodSeconds`, numberAt(spec, 'terminationGracePeriodSeconds')),
    ...deadlineErrors(numberAt(spec, 'activeDeadlineSeconds'), `${path}.activeDeadlineSeconds`),
    ...checkTolerations(`${path}.tolerations`, objectsAt(spec, 'tolerations')),
    ...checkHostAliases(`${path}.hostAliases`, spec),
  ];
}

/** The fields of a pod spec that name something, and how. */
const nameRules = [
  ['serviceAccountName', validateDnsSubdomain],
  ['nodeName', validateDnsSubdomain],
  ['hostname', validateDnsLabel],
  ['subdomain', validateDnsLabel],
  ['priorityClassName', validateDnsSubdomain],
  ['runtimeClassName', validateDnsSubdomain],
] as const;

function nameErrors(spec: JsonObject, path: string): FieldError[] {
  return nameRules.flatMap(([name, rule]) => {
    const value = stringAt(spec, name);
    return value === '' ? [] : checkString(`${path}.${name}`, value, rule);
  });
}

function deadlineErrors(seconds: number | undefined, field: string): FieldError[] {
  return seconds !== undefined && (seconds < 1 || seconds > deadlineLimit)
    ? [invalid(field, seconds, `must be between 1 and ${deadlineLimit}, inclusive`)]
    : [];
}

/** What a new Pod may not have yet. */
export function validateNewPod(pod: JsonObject): FieldError[] {
  return objectsAt(objectAt(pod, 'spec'), 'ephemeralContainers').length > 0
    ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')]
    : [];
}

/** Every error of a Pod besides its metadata. */
export function validatePod(pod: JsonObject): FieldError[] {
  return validatePodSpec(objectAt(pod, 'spec'), 'spec');
}
