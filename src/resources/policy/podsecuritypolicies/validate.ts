import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isSet, isTrue, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/strategy.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkSeccompProfile, isArmorProfile } from '../../core/pods/annotations.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';
import { repeatsOf } from '../../rules/fields/repeats.ts';
import { checkSysctlLists } from './sysctls.ts';

/** All errors of a policy: the values of each field, and fields that contradict each other. */
export function validatePolicy(policy: JsonObject, { identifiers }: StrategyContext): readonly FieldError[] {
  const spec = objectAt(policy, 'spec');
  return allErrors(
    profileErrors(objectAt(policy, 'metadata', 'annotations'), identifiers.labelDomain),
    ruleErrors(spec, 'runAsUser'),
    isSet(spec, 'runAsGroup') ? groupErrors(objectAt(spec, 'runAsGroup')) : noErrors,
    ruleErrors(spec, 'seLinux'),
    ruleErrors(spec, 'supplementalGroups'),
    ruleErrors(spec, 'fsGroup'),
    errorsOfEach(stringsAt(spec, 'volumes'), (volume) =>
      volumes.includes(volume) ? noErrors : [notSupported('spec.volumes', volume, volumes)],
    ),
    capabilityErrors(spec),
    escalationErrors(spec),
    hostPathErrors(objectsAt(spec, 'allowedHostPaths')),
    // kube-apiserver repeats the name of the list in the next two paths.
    checkEach('spec.allowedFlexVolumes.allowedFlexVolumes', objectsAt(spec, 'allowedFlexVolumes'), flexErrors),
    checkEach('spec.allowedCSIDrivers.allowedCSIDriver', objectsAt(spec, 'allowedCSIDrivers'), (driver, path) =>
      checkCsiDriverName(`${path}.name`, stringAt(driver, 'name')),
    ),
    checkSysctlLists(spec),
    isSet(spec, 'runtimeClass') ? runtimeErrors(objectAt(spec, 'runtimeClass')) : noErrors,
  );
}

const everything = '*';

/** Checks the annotations of AppArmor and seccomp profiles. Some have a list of profiles. */
function profileErrors(annotations: JsonObject, domain: string): readonly FieldError[] {
  const [armor, seccomp] = [`apparmor.security.beta.${domain}`, `seccomp.security.alpha.${domain}`];
  const armorErrors = (name: string, profiles: readonly string[]): readonly FieldError[] =>
    errorsOfEach(profiles, (profile) =>
      isArmorProfile(profile)
        ? noErrors
        : [invalid(fieldOf(name), annotations[name], `invalid AppArmor profile name: ${JSON.stringify(profile)}`)],
    );
  const [armorDefault, armorList] = [`${armor}/defaultProfileName`, `${armor}/allowedProfileNames`];
  const [usual, list] = [`${seccomp}/defaultProfileName`, `${seccomp}/allowedProfileNames`];
  return allErrors(
    armorErrors(armorDefault, [stringAt(annotations, armorDefault)]),
    armorErrors(armorList, stringAt(annotations, armorList).split(',')),
    stringAt(annotations, usual) === '' ? noErrors : checkSeccompProfile(fieldOf(usual), stringAt(annotations, usual)),
    errorsOfEach(stringAt(annotations, list) === '' ? [] : stringAt(annotations, list).split(','), (profile) =>
      profile === everything ? noErrors : checkSeccompProfile(fieldOf(list), profile),
    ),
  );
}

function fieldOf(annotation: string): string {
  return `metadata.annotations[${annotation}]`;
}

/** The rules of each strategy, in the order in which messages list them. */
const rules = {
  runAsUser: ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny'],
  runAsGroup: ['MustRunAs', 'RunAsAny', 'MayRunAs'],
  seLinux: ['MustRunAs', 'RunAsAny'],
  supplementalGroups: ['MayRunAs', 'MustRunAs', 'RunAsAny'],
  fsGroup: ['MayRunAs', 'MustRunAs', 'RunAsAny'],
} as const;

function ruleErrors(spec: JsonObject, name: keyof typeof rules): readonly FieldError[] {
  const strategy = objectAt(spec, name);
  return allErrors(
    choiceErrors(strategy, name),
    checkEach(`spec.${name}.ranges`, objectsAt(strategy, 'ranges'), rangeErrors),
  );
}

function choiceErrors(strategy: JsonObject, name: keyof typeof rules): readonly FieldError[] {
  const rule = stringAt(strategy, 'rule');
  const known: readonly string[] = rules[name];
  return known.includes(rule) ? noErrors : [notSupported(`spec.${name}.rule`, rule, known)];
}

/** Checks `runAsGroup`: it has no ranges with the rule RunAsAny, and some with other rules. */
function groupErrors(strategy: JsonObject): readonly FieldError[] {
  const unknown = choiceErrors(strategy, 'runAsGroup');
  if (unknown.length > 0) return unknown;
  const ranges = objectsAt(strategy, 'ranges');
  const field = 'spec.runAsGroup.ranges';
  if (stringAt(strategy, 'rule') === 'RunAsAny') {
    return ranges.length > 0 ? [invalid(field, ranges, 'Ranges must be empty')] : noErrors;
  }
  return ranges.length > 0
    ? checkEach(field, ranges, rangeErrors)
    : [invalid(field, [], 'must provide at least one range')];
}

function rangeErrors(range: JsonObject, path: string): readonly FieldError[] {
  const [min, max] = [numberAt(range, 'min') ?? 0, numberAt(range, 'max') ?? 0];
  return allErrors(
    min < 0 ? [invalid(`${path}.min`, min, 'min cannot be negative')] : noErrors,
    max < 0 ? [invalid(`${path}.max`, max, 'max cannot be negative')] : noErrors,
    min > max ? [invalid(`${path}.min`, min, 'min cannot be greater than max')] : noErrors,
  );
}

/** The volume sources of a policy, in the order in which messages list them. */
const volumes: readonly string[] = [
  everything,
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephFS',
  'cinder',
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'glusterfs',
  'hostPath',
  'iscsi',
  'nfs',
  'persistentVolumeClaim',
  'photonPersistentDisk',
  'portworxVolume',
  'projected',
  'quobyte',
  'rbd',
  'scaleIO',
  'secret',
  'storageos',
  'vsphereVolume',
];

/** Refuses capabilities that are both dropped and added or allowed. */
function capabilityErrors(spec: JsonObject): readonly FieldError[] {
  const dropped = stringsAt(spec, 'requiredDropCapabilities');
  const taken = new Set(dropped);
  return allErrors(
    dropped.length > 0 && stringsAt(spec, 'allowedCapabilities').includes(everything)
      ? [invalid('requiredDropCapabilities', dropped, 'must be empty when all capabilities are allowed by a wildcard')]
      : noErrors,
    errorsOfEach(['defaultAddCapabilities', 'allowedCapabilities'], (field) =>
      errorsOfEach(stringsAt(spec, field), (capability) =>
        taken.has(capability)
          ? [invalid(field, capability, `capability is listed in ${field} and requiredDropCapabilities`)]
          : noErrors,
      ),
    ),
  );
}

function escalationErrors(spec: JsonObject): readonly FieldError[] {
  const name = 'AllowPrivilegeEscalation';
  return isTrue(spec, 'defaultAllowPrivilegeEscalation') && getOwn(spec, 'allowPrivilegeEscalation') === false
    ? [invalid(`spec.default${name}`, true, `Cannot set Default${name} to true without also setting ${name} to true`)]
    : noErrors;
}

/**
 * Checks the host paths. After the first one without a path, the rest is not checked, as in
 * kube-apiserver.
 */
function hostPathErrors(hostPaths: readonly JsonObject[]): readonly FieldError[] {
  const missing = hostPaths.findIndex((hostPath) => stringAt(hostPath, 'pathPrefix') === '');
  const read = missing < 0 ? hostPaths : hostPaths.slice(0, missing + 1);
  return checkEach('spec.allowedHostPaths', read, (hostPath, path) => {
    const prefix = stringAt(hostPath, 'pathPrefix');
    if (prefix === '') return [required(path, 'is required')];
    return prefix.split('/').includes('..') ? [invalid(path, prefix, "must not contain '..'")] : noErrors;
  });
}

function flexErrors(volume: JsonObject, path: string): readonly FieldError[] {
  return stringAt(volume, 'driver') === '' ? [required(`${path}.driver`, 'must specify a driver')] : noErrors;
}

/** Checks the allowed runtime classes and the default one. */
function runtimeErrors(strategy: JsonObject): readonly FieldError[] {
  const [field, allowed] = [
    'spec.runtimeClass.allowedRuntimeClassNames',
    stringsAt(strategy, 'allowedRuntimeClassNames'),
  ];
  const repeats = repeatsOf(allowed);
  const usual = stringAt(strategy, 'defaultRuntimeClassName');
  const hasUsual = isSet(strategy, 'defaultRuntimeClassName');
  const hasAll = allowed.includes(everything);
  return allErrors(
    errorsOfEach(allowed, (name, index) =>
      allErrors(
        name === everything ? noErrors : checkString(`${field}[${index}]`, name, validateDnsSubdomain),
        repeats.has(index) ? [duplicate(`${field}[${index}]`, name)] : noErrors,
      ),
    ),
    hasUsual ? checkString('spec.runtimeClass.defaultRuntimeClassName', usual, validateDnsSubdomain) : noErrors,
    hasAll && allowed.length > 1
      ? [invalid(field, allowed, "if '*' is present, must not specify other RuntimeClass names")]
      : noErrors,
    hasUsual && !hasAll && !allowed.includes(usual)
      ? [required(field, `default ${JSON.stringify(usual)} must be allowed`)]
      : noErrors,
  );
}
