import type { JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { checkNotNegative, checkString } from '../../rules/check.ts';
import { checkLabels } from '../../rules/labels.ts';
import { checkContainers } from './container.ts';
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
    ...checkContainers(`${path}.initContainers`, objectsAt(spec, 'initContainers'), names),
    ...checkLabels(`${path}.nodeSelector`, spec, 'nodeSelector'),
    ...nameErrors(spec, path),
    ...checkNotNegative(`${path}.terminationGracePeriodSeconds`, numberAt(spec, 'terminationGracePeriodSeconds')),
    ...deadlineErrors(numberAt(spec, 'activeDeadlineSeconds'), `${path}.activeDeadlineSeconds`),
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

/** Every error of a Pod besides its metadata. */
export function validatePod(pod: JsonObject): FieldError[] {
  return validatePodSpec(objectAt(pod, 'spec'), 'spec');
}
