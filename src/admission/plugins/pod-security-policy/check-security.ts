import type * as core from '../../../gen/stored/core-v1.ts';
import type { PodSecurityPolicySpec as PolicySpec } from '../../../gen/stored/policy-v1beta1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import type { AnyContainer } from '../../../kinds/core/pod.ts';
import { checkVolumes } from './check-volumes.ts';
import { containerLists } from './default-security.ts';
import { annotationOf, containerSeccompOf, podSeccompOf, type ProfileAnnotations } from './pod-profiles.ts';
import { isInRanges, type NumberRange, type ProfileRule, type UsablePolicy, type IdRule } from './usable-policy.ts';
import type { SecurityContext, SELinuxOptions } from '../../../gen/stored/core-v1.ts';

/** Checks a Pod against all rules of a policy. Returns all errors in kube-apiserver's order. */
export function checkSecurity(
  pod: core.Pod,
  policy: UsablePolicy,
  annotations: ProfileAnnotations,
  identifiers: Identifiers,
): readonly FieldError[] {
  const { spec } = pod;
  const { securityContext: security } = spec;
  const field = 'spec.securityContext';
  const containers = containerLists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, at: `spec.${list}[${index}]` })),
  );
  return [
    ...checkGroups(`${field}.fsGroup`, numbersOf(security.fsGroup), policy.fsGroup),
    ...checkGroups(`${field}.supplementalGroups`, numbersOf(security.supplementalGroups), policy.supplementalGroups),
    ...seccompErrors(annotations.podSeccomp, podSeccompOf(pod, annotations), policy.seccomp),
    ...checkSeLinux(`${field}.seLinuxOptions`, security, policy),
    ...hostNamespaces
      .filter(([name]) => spec[name] && !policy.spec[name])
      .map(([name, text]) => invalid(`${field}.${name}`, true, `${text} is not allowed to be used`)),
    ...sysctlErrors(security, policy.spec),
    ...checkVolumes(spec, policy.spec, identifiers),
    ...runtimeClassErrors(spec, policy.spec),
    ...containers.flatMap(({ container, at }) => containerErrors(at, container, pod, policy, annotations)),
  ];
}

const hostNamespaces = [
  ['hostNetwork', 'Host network'],
  ['hostPID', 'Host PID'],
  ['hostIPC', 'Host IPC'],
] as const;

function numbersOf(value: number | bigint | readonly (number | bigint)[] = []): readonly number[] {
  return [value].flat().map(Number);
}

function seccompErrors(annotation: string, profile: string, { allowed }: ProfileRule): readonly FieldError[] {
  const names = allowed?.split(',') ?? [];
  if (names.includes('*')) return [];
  const field = `pod.metadata.annotations[${annotation}]`;
  if (allowed === undefined) return profile === '' ? [] : [forbidden(field, 'seccomp may not be set')];
  // Two names of one profile.
  const same = runtimeDefaults.includes(profile) ? runtimeDefaults : [profile];
  if (same.some((name) => names.includes(name))) return [];
  return [forbidden(field, `${profile} is not an allowed seccomp profile. Valid values are ${allowed}`)];
}

const runtimeDefaults: readonly string[] = ['docker/default', 'runtime/default'];

function appArmorErrors(annotation: string, profile: string, { allowed }: ProfileRule): readonly FieldError[] {
  if (allowed === undefined) return [];
  const field = `pod.metadata.annotations[${annotation}]`;
  if (profile === '') return [forbidden(field, 'AppArmor profile must be set')];
  if (allowed.split(',').includes(profile)) return [];
  return [forbidden(field, `${profile} is not an allowed profile. Allowed values: ${JSON.stringify(allowed)}`)];
}

const safeSysctls: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]);

/** Reports whether a sysctl has one of these names, or one of their beginnings before a star. */
function matches(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

function sysctlErrors(pod: core.PodSecurityContext, policy: PolicySpec): readonly FieldError[] {
  const { forbiddenSysctls = [], allowedUnsafeSysctls = [] } = policy;
  return (pod.sysctls ?? []).flatMap(({ name }, index) => {
    const field = `pod.spec.securityContext.sysctls[${index}]`;
    if (matches(forbiddenSysctls, name)) return [forbidden(field, `sysctl ${JSON.stringify(name)} is not allowed`)];
    if (safeSysctls.has(name) || matches(allowedUnsafeSysctls, name)) return [];
    return [forbidden(field, `unsafe sysctl ${JSON.stringify(name)} is not allowed`)];
  });
}

function runtimeClassErrors({ runtimeClassName: name }: core.PodSpec, { runtimeClass }: PolicySpec): FieldError[] {
  if (!runtimeClass || name === undefined) return [];
  const allowed = runtimeClass.allowedRuntimeClassNames ?? [];
  return allowed.includes('*') || allowed.includes(name) ? [] : [invalid('spec.runtimeClassName', name, '')];
}

function containerErrors(
  at: string,
  container: AnyContainer,
  pod: core.Pod,
  policy: UsablePolicy,
  annotations: ProfileAnnotations,
): readonly FieldError[] {
  const { name, securityContext: own = {} } = container;
  // Fields that a container does not set come from the Pod.
  const security: core.SecurityContext = { ...pod.spec.securityContext, ...own };
  const field = `${at}.securityContext`;
  const armor = annotations.appArmor(name);
  const seccomp = containerSeccompOf(pod, container, annotations);
  return [
    ...checkUser(field, security, policy.runAsUser),
    ...checkGroups(field, numbersOf(security.runAsGroup), policy.runAsGroup),
    ...checkSeLinux(`${field}.seLinuxOptions`, security, policy),
    ...appArmorErrors(armor, annotationOf(pod, armor) ?? '', policy.appArmor),
    ...seccompErrors(annotations.containerSeccomp(name), seccomp, policy.seccomp),
    ...privilegeErrors(field, own, policy.spec),
    ...capabilityErrors(`${field}.capabilities`, own, policy.spec),
    ...portErrors(`${at}.hostPort`, container, policy.hostPorts),
    ...escalationErrors(field, own, policy.spec),
  ];
}

function privilegeErrors(field: string, own: core.SecurityContext, policy: PolicySpec): readonly FieldError[] {
  const isPrivileged = own.privileged && !policy.privileged;
  const mount = own.procMount || 'Default';
  return [
    ...(isPrivileged ? [invalid(`${field}.privileged`, true, 'Privileged containers are not allowed')] : []),
    ...(mount === 'Default' ? [] : [invalid(`${field}.procMount`, mount, 'ProcMountType is not allowed')]),
  ];
}

function capabilityErrors(field: string, own: core.SecurityContext, policy: PolicySpec): readonly FieldError[] {
  const allowed = policy.allowedCapabilities ?? [];
  if (allowed.includes('*')) return [];
  const known = new Set([...allowed, ...(policy.defaultAddCapabilities ?? [])]);
  return (own.capabilities?.add ?? [])
    .filter((name) => !known.has(name))
    .map((name) => invalid(`${field}.add`, name, 'capability may not be added'));
}

function portErrors(field: string, { ports = [] }: AnyContainer, ranges: readonly NumberRange[]): FieldError[] {
  const shown = ranges.map(({ min, max }) => (min === max ? `${min}` : `${min}-${max}`)).join();
  return ports
    .map(({ hostPort = 0 }) => hostPort)
    .filter((port) => port > 0 && !isInRanges(port, ranges))
    .map((port) => invalid(field, port, `Host port ${port} is not allowed to be used. Allowed ports: [${shown}]`));
}

function escalationErrors(field: string, own: core.SecurityContext, policy: PolicySpec): readonly FieldError[] {
  const isWritable = policy.readOnlyRootFilesystem && !own.readOnlyRootFilesystem;
  const mayEscalate = !policy.allowPrivilegeEscalation && own.allowPrivilegeEscalation !== false;
  return [
    ...(isWritable
      ? [invalid(`${field}.readOnlyRootFilesystem`, false, 'ReadOnlyRootFilesystem must be set to true')]
      : []),
    ...(mayEscalate
      ? [
          invalid(
            `${field}.allowPrivilegeEscalation`,
            true,
            'Allowing privilege escalation for containers is not allowed',
          ),
        ]
      : []),
  ];
}

/** Checks groups against a rule. */
function checkGroups(field: string, groups: readonly number[], { rule, ranges }: IdRule): readonly FieldError[] {
  if (rule !== 'MustRunAs' && rule !== 'MayRunAs') return [];
  if (rule === 'MustRunAs' && groups.length === 0) {
    return [invalid(field, groups, 'unable to validate empty groups against required ranges')];
  }
  return groups
    .filter((group) => !isInRanges(group, ranges))
    .map((group) => invalid(field, groups, `group ${group} must be in the ranges: ${showRanges(ranges)}`));
}

/** Checks the user of a security context, in which fields of the Pod and container are merged. */
function checkUser(field: string, security: SecurityContext, { rule, ranges }: IdRule): readonly FieldError[] {
  const { runAsUser, runAsNonRoot } = security;
  const user = runAsUser === undefined ? undefined : Number(runAsUser);
  if (rule === 'MustRunAs') {
    if (user === undefined) return [required(`${field}.runAsUser`)];
    const isAllowed = isInRanges(user, ranges);
    return isAllowed ? [] : [invalid(`${field}.runAsUser`, user, `must be in the ranges: ${showRanges(ranges)}`)];
  }
  if (rule !== 'MustRunAsNonRoot') return [];
  if (user === undefined && runAsNonRoot === undefined) return [required(`${field}.runAsNonRoot`, 'must be true')];
  if (runAsNonRoot === false) return [invalid(`${field}.runAsNonRoot`, false, 'must be true')];
  return user === 0 ? [invalid(`${field}.runAsUser`, 0, 'running with the root UID is forbidden')] : [];
}

/** Checks the SELinux options of a security context. */
function checkSeLinux(
  field: string,
  { seLinuxOptions: given }: { readonly seLinuxOptions?: SELinuxOptions },
  { spec: { seLinux } }: UsablePolicy,
): readonly FieldError[] {
  if (seLinux.rule !== 'MustRunAs') return [];
  if (!given) return [required(field)];
  return (['level', 'role', 'type', 'user'] as const).flatMap((name) => {
    const [right, value] = [seLinux.seLinuxOptions?.[name] ?? '', given[name] ?? ''];
    const isSame = name === 'level' ? sortedLevel(right) === sortedLevel(value) : right === value;
    return isSame ? [] : [invalid(`${field}.${name}`, value, `must be ${right}`)];
  });
}

/** A level with its categories in order: `s0:c2,c1` is the same as `s0:c1,c2`. */
function sortedLevel(level: string): string {
  const [sensitivity = '', categories = '', ...rest] = level.split(':');
  return [sensitivity, categories.split(',').toSorted().join(), ...rest].join(':');
}

/** As Go prints ranges. */
function showRanges(ranges: readonly NumberRange[]): string {
  return `[${ranges.map(({ min, max }) => `{${min} ${max}}`).join(' ')}]`;
}
