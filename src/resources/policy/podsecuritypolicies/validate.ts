import { allowedVolumes, restrictedVolumes } from '../../../kinds/core/volume-sources.ts';
import type {
  AllowedHostPath,
  FSGroupStrategyOptions,
  IDRange,
  PodSecurityPolicy,
  PodSecurityPolicySpec,
  RuntimeClassStrategyOptions,
} from '../../../gen/stored/policy-v1beta1.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkSeccompProfile, isArmorProfile } from '../../core/pods/annotations.ts';
import { checkEach, checkString, repeatsOf } from '../../rules/fields/field-checks.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';
import { checkSysctlLists } from './sysctls.ts';

/** All errors of a policy: the values of each field, and fields that contradict each other. */
export function validatePolicy(policy: PodSecurityPolicy, { identifiers }: StrategyContext): readonly FieldError[] {
  const { metadata, spec } = policy;
  return allErrors(
    profileErrors(metadata.annotations ?? {}, identifiers.labelDomain),
    ruleErrors(spec.runAsUser, 'runAsUser'),
    spec.runAsGroup ? groupErrors(spec.runAsGroup) : noErrors,
    choiceErrors(spec.seLinux, 'seLinux'),
    ruleErrors(spec.supplementalGroups, 'supplementalGroups'),
    ruleErrors(spec.fsGroup, 'fsGroup'),
    errorsOfEach(spec.volumes ?? [], (volume) =>
      volumes.includes(volume) ? noErrors : [notSupported('spec.volumes', volume, volumes)],
    ),
    capabilityErrors(spec),
    escalationErrors(spec),
    hostPathErrors(spec.allowedHostPaths ?? []),
    // kube-apiserver repeats the name of the list in the next two paths.
    checkEach('spec.allowedFlexVolumes.allowedFlexVolumes', spec.allowedFlexVolumes ?? [], ({ driver }, path) =>
      driver === '' ? [required(`${path}.driver`, 'must specify a driver')] : noErrors,
    ),
    checkEach('spec.allowedCSIDrivers.allowedCSIDriver', spec.allowedCSIDrivers ?? [], ({ name }, path) =>
      checkCsiDriverName(`${path}.name`, name),
    ),
    checkSysctlLists(spec),
    spec.runtimeClass ? runtimeErrors(spec.runtimeClass) : noErrors,
  );
}

const everything = '*';

/** Checks the annotations of AppArmor and seccomp profiles. Some have a list of profiles. */
function profileErrors(annotations: Readonly<Record<string, string>>, domain: string): readonly FieldError[] {
  const [armor, seccomp] = [`apparmor.security.beta.${domain}`, `seccomp.security.alpha.${domain}`];
  const armorErrors = (name: string, profiles: readonly string[]): readonly FieldError[] =>
    errorsOfEach(profiles, (profile) =>
      isArmorProfile(profile)
        ? noErrors
        : [invalid(fieldOf(name), annotations[name], `invalid AppArmor profile name: ${JSON.stringify(profile)}`)],
    );
  const [armorDefault, armorList] = [`${armor}/defaultProfileName`, `${armor}/allowedProfileNames`];
  const [usual, list] = [`${seccomp}/defaultProfileName`, `${seccomp}/allowedProfileNames`];
  const seccompDefault = annotations[usual];
  return allErrors(
    armorErrors(armorDefault, [annotations[armorDefault] ?? '']),
    armorErrors(armorList, annotations[armorList]?.split(',') ?? ['']),
    seccompDefault ? checkSeccompProfile(fieldOf(usual), seccompDefault) : noErrors,
    errorsOfEach(annotations[list] ? annotations[list].split(',') : [], (profile) =>
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

function ruleErrors(strategy: FSGroupStrategyOptions, name: keyof typeof rules): readonly FieldError[] {
  return allErrors(choiceErrors(strategy, name), checkEach(`spec.${name}.ranges`, strategy.ranges ?? [], rangeErrors));
}

function choiceErrors({ rule = '' }: { readonly rule?: string }, name: keyof typeof rules): readonly FieldError[] {
  const known: readonly string[] = rules[name];
  return known.includes(rule) ? noErrors : [notSupported(`spec.${name}.rule`, rule, known)];
}

/** Checks `runAsGroup`: it has no ranges with the rule RunAsAny, and some with other rules. */
function groupErrors(strategy: FSGroupStrategyOptions): readonly FieldError[] {
  const unknown = choiceErrors(strategy, 'runAsGroup');
  if (unknown.length > 0) return unknown;
  const { ranges = [] } = strategy;
  const field = 'spec.runAsGroup.ranges';
  if (strategy.rule === 'RunAsAny') {
    return ranges.length > 0 ? [invalid(field, ranges, 'Ranges must be empty')] : noErrors;
  }
  return ranges.length > 0
    ? checkEach(field, ranges, rangeErrors)
    : [invalid(field, [], 'must provide at least one range')];
}

function rangeErrors(range: IDRange, path: string): readonly FieldError[] {
  const [min, max] = [Number(range.min), Number(range.max)];
  return allErrors(
    min < 0 ? [invalid(`${path}.min`, min, 'min cannot be negative')] : noErrors,
    max < 0 ? [invalid(`${path}.max`, max, 'max cannot be negative')] : noErrors,
    min > max ? [invalid(`${path}.min`, min, 'min cannot be greater than max')] : noErrors,
  );
}

/** The volume sources of a policy, in the order in which messages list them. */
const volumes: readonly string[] = [
  everything,
  ...[...allowedVolumes, ...restrictedVolumes]
    .filter((source) => source !== 'image')
    .map((source) => (source === 'cephfs' ? 'cephFS' : source))
    .toSorted(),
];

/** Refuses capabilities that are both dropped and added or allowed. */
function capabilityErrors(spec: PodSecurityPolicySpec): readonly FieldError[] {
  const { requiredDropCapabilities: dropped = [] } = spec;
  const taken = new Set(dropped);
  return allErrors(
    dropped.length > 0 && spec.allowedCapabilities?.includes(everything)
      ? [invalid('requiredDropCapabilities', dropped, 'must be empty when all capabilities are allowed by a wildcard')]
      : noErrors,
    errorsOfEach(['defaultAddCapabilities', 'allowedCapabilities'] as const, (field) =>
      errorsOfEach(spec[field] ?? [], (capability) =>
        taken.has(capability)
          ? [invalid(field, capability, `capability is listed in ${field} and requiredDropCapabilities`)]
          : noErrors,
      ),
    ),
  );
}

function escalationErrors(spec: PodSecurityPolicySpec): readonly FieldError[] {
  const name = 'AllowPrivilegeEscalation';
  return spec.defaultAllowPrivilegeEscalation && !spec.allowPrivilegeEscalation
    ? [invalid(`spec.default${name}`, true, `Cannot set Default${name} to true without also setting ${name} to true`)]
    : noErrors;
}

/**
 * Checks the host paths. After the first one without a path, the rest is not checked, as in
 * kube-apiserver.
 */
function hostPathErrors(hostPaths: readonly AllowedHostPath[]): readonly FieldError[] {
  const missing = hostPaths.findIndex(({ pathPrefix }) => !pathPrefix);
  const read = missing < 0 ? hostPaths : hostPaths.slice(0, missing + 1);
  return checkEach('spec.allowedHostPaths', read, ({ pathPrefix: prefix }, path) => {
    if (!prefix) return [required(path, 'is required')];
    return prefix.split('/').includes('..') ? [invalid(path, prefix, "must not contain '..'")] : noErrors;
  });
}

/** Checks the allowed runtime classes and the default one. */
function runtimeErrors(strategy: RuntimeClassStrategyOptions): readonly FieldError[] {
  const field = 'spec.runtimeClass.allowedRuntimeClassNames';
  const allowed = strategy.allowedRuntimeClassNames ?? [];
  const repeats = repeatsOf(allowed);
  const usual = strategy.defaultRuntimeClassName;
  const hasAll = allowed.includes(everything);
  return allErrors(
    errorsOfEach(allowed, (name, index) =>
      allErrors(
        name === everything ? noErrors : checkString(`${field}[${index}]`, name, validateDnsSubdomain),
        repeats.has(index) ? [duplicate(`${field}[${index}]`, name)] : noErrors,
      ),
    ),
    usual === undefined
      ? noErrors
      : checkString('spec.runtimeClass.defaultRuntimeClassName', usual, validateDnsSubdomain),
    hasAll && allowed.length > 1
      ? [invalid(field, allowed, "if '*' is present, must not specify other RuntimeClass names")]
      : noErrors,
    usual !== undefined && !hasAll && !allowed.includes(usual)
      ? [required(field, `default ${JSON.stringify(usual)} must be allowed`)]
      : noErrors,
  );
}
