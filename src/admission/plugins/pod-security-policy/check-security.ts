import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isSet, isTrue, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { checkGroups, checkSeLinux, checkUser } from './check-identity.ts';
import { checkVolumes } from './check-volumes.ts';
import { containerLists } from './default-security.ts';
import { annotationOf, containerSeccompOf, podSeccompOf, type ProfileAnnotations } from './pod-profiles.ts';
import { isInRanges, type NumberRange, type ProfileRule, type UsablePolicy } from './usable-policy.ts';

/** Checks a Pod against all rules of a policy. Returns all errors in kube-apiserver's order. */
export function checkSecurity(
  pod: JsonObject,
  policy: UsablePolicy,
  annotations: ProfileAnnotations,
  identifiers: Identifiers,
): readonly FieldError[] {
  const spec = objectAt(pod, 'spec');
  const security = objectAt(spec, 'securityContext');
  const field = 'spec.securityContext';
  const containers = containerLists.flatMap((list) =>
    objectsAt(spec, list).map((container, index) => ({ container, at: `spec.${list}[${index}]` })),
  );
  return [
    ...checkGroups(`${field}.fsGroup`, numbersAt(security, 'fsGroup'), policy.fsGroup),
    ...checkGroups(`${field}.supplementalGroups`, numbersAt(security, 'supplementalGroups'), policy.supplementalGroups),
    ...seccompErrors(annotations.podSeccomp, podSeccompOf(pod, annotations), policy.seccomp),
    ...checkSeLinux(`${field}.seLinuxOptions`, security, policy),
    ...hostNamespaces
      .filter(([name]) => isTrue(spec, name) && !isTrue(policy.spec, name))
      .map(([name, text]) => invalid(`${field}.${name}`, true, `${text} is not allowed to be used`)),
    ...sysctlErrors(security, policy.spec),
    ...checkVolumes(pod, policy.spec, identifiers),
    ...runtimeClassErrors(spec, policy.spec),
    ...containers.flatMap(({ container, at }) => containerErrors(at, container, pod, policy, annotations)),
  ];
}

const hostNamespaces = [
  ['hostNetwork', 'Host network'],
  ['hostPID', 'Host PID'],
  ['hostIPC', 'Host IPC'],
] as const;

function numbersAt(owner: JsonObject, field: string): readonly number[] {
  const value = getOwn(owner, field) ?? [];
  return (Array.isArray(value) ? value : [value]).map(Number);
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

function sysctlErrors(security: JsonObject, policySpec: JsonObject): readonly FieldError[] {
  const matches = (list: string, name: string): boolean =>
    stringsAt(policySpec, list).some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    );
  return objectsAt(security, 'sysctls').flatMap((sysctl, index) => {
    const name = stringAt(sysctl, 'name');
    const field = `pod.spec.securityContext.sysctls[${index}]`;
    if (matches('forbiddenSysctls', name)) return [forbidden(field, `sysctl ${JSON.stringify(name)} is not allowed`)];
    if (safeSysctls.has(name) || matches('allowedUnsafeSysctls', name)) return [];
    return [forbidden(field, `unsafe sysctl ${JSON.stringify(name)} is not allowed`)];
  });
}

function runtimeClassErrors(spec: JsonObject, policySpec: JsonObject): readonly FieldError[] {
  if (!isSet(policySpec, 'runtimeClass') || !isSet(spec, 'runtimeClassName')) return [];
  const name = stringAt(spec, 'runtimeClassName');
  const allowed = stringsAt(objectAt(policySpec, 'runtimeClass'), 'allowedRuntimeClassNames');
  return allowed.includes('*') || allowed.includes(name) ? [] : [invalid('spec.runtimeClassName', name, '')];
}

function containerErrors(
  at: string,
  container: JsonObject,
  pod: JsonObject,
  policy: UsablePolicy,
  annotations: ProfileAnnotations,
): readonly FieldError[] {
  const own = objectAt(container, 'securityContext');
  // Fields that a container does not set are those of the Pod.
  const security = { ...objectAt(pod, 'spec', 'securityContext'), ...withoutNulls(own) };
  const field = `${at}.securityContext`;
  const name = stringAt(container, 'name');
  const armor = annotations.appArmor(name);
  const seccomp = containerSeccompOf(pod, container, annotations);
  return [
    ...checkUser(field, security, policy.runAsUser),
    ...checkGroups(field, numbersAt(security, 'runAsGroup'), policy.runAsGroup),
    ...checkSeLinux(`${field}.seLinuxOptions`, security, policy),
    ...appArmorErrors(armor, annotationOf(pod, armor) ?? '', policy.appArmor),
    ...seccompErrors(annotations.containerSeccomp(name), seccomp, policy.seccomp),
    ...privilegeErrors(field, own, policy.spec),
    ...capabilityErrors(`${field}.capabilities`, objectAt(own, 'capabilities'), policy.spec),
    ...portErrors(`${at}.hostPort`, container, policy.hostPorts),
    ...escalationErrors(field, own, policy.spec),
  ];
}

function withoutNulls(security: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(security).filter(([, value]) => value !== null));
}

function privilegeErrors(field: string, security: JsonObject, policySpec: JsonObject): readonly FieldError[] {
  const isPrivileged = isTrue(security, 'privileged') && !isTrue(policySpec, 'privileged');
  const mount = stringAt(security, 'procMount') || 'Default';
  return [
    ...(isPrivileged ? [invalid(`${field}.privileged`, true, 'Privileged containers are not allowed')] : []),
    ...(mount === 'Default' ? [] : [invalid(`${field}.procMount`, mount, 'ProcMountType is not allowed')]),
  ];
}

function capabilityErrors(field: string, capabilities: JsonObject, policySpec: JsonObject): readonly FieldError[] {
  const allowed = stringsAt(policySpec, 'allowedCapabilities');
  if (allowed.includes('*')) return [];
  const known = new Set([...allowed, ...stringsAt(policySpec, 'defaultAddCapabilities')]);
  return stringsAt(capabilities, 'add')
    .filter((name) => !known.has(name))
    .map((name) => invalid(`${field}.add`, name, 'capability may not be added'));
}

function portErrors(field: string, container: JsonObject, ranges: readonly NumberRange[]): readonly FieldError[] {
  const shown = ranges.map(({ min, max }) => (min === max ? `${min}` : `${min}-${max}`)).join();
  return objectsAt(container, 'ports')
    .map((port) => numberAt(port, 'hostPort') ?? 0)
    .filter((port) => port > 0 && !isInRanges(port, ranges))
    .map((port) => invalid(field, port, `Host port ${port} is not allowed to be used. Allowed ports: [${shown}]`));
}

function escalationErrors(field: string, security: JsonObject, policySpec: JsonObject): readonly FieldError[] {
  const isWritable = isTrue(policySpec, 'readOnlyRootFilesystem') && !isTrue(security, 'readOnlyRootFilesystem');
  const mayEscalate =
    getOwn(policySpec, 'allowPrivilegeEscalation') === false && getOwn(security, 'allowPrivilegeEscalation') !== false;
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
