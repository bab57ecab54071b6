import type { Pod, SecurityContext, SELinuxOptions } from '../../../gen/stored/core-v1.ts';
import type { PodSecurityPolicySpec as PolicySpec } from '../../../gen/stored/policy-v1beta1.ts';
import { allContainers, type AnyContainer } from '../../../kinds/core/pod.ts';
import { annotationOf, podSeccompOf, type ProfileAnnotations } from './pod-profiles.ts';
import type { IdRule, UsablePolicy } from './usable-policy.ts';

/** The lists of containers in a Pod. */
export const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Sets the values that a policy requires in fields that the Pod does not set. Mutates the Pod. */
export function defaultSecurity(pod: Pod, policy: UsablePolicy, annotations: ProfileAnnotations): void {
  const { spec } = pod;
  const seLinux = seLinuxOf(policy);
  const group = firstId(policy.supplementalGroups);
  setMissing(spec, 'supplementalGroups', group === undefined ? undefined : [group]);
  setMissing(spec, 'fsGroup', firstId(policy.fsGroup));
  setMissing(spec, 'seLinuxOptions', seLinux);
  const { defaultProfile } = policy.seccomp;
  if (defaultProfile !== '' && podSeccompOf(pod, annotations) === '') {
    annotate(pod, annotations.podSeccomp, defaultProfile);
  }
  const runtimeClass = policy.spec.runtimeClass?.defaultRuntimeClassName;
  if (runtimeClass) spec.runtimeClassName ??= runtimeClass;
  for (const container of allContainers(spec)) defaultContainer(pod, container, policy, annotations);
}

/** The fields that a container has from its Pod if it does not set them. */
type InheritedField = keyof SecurityContext & keyof Pod['spec']['securityContext'];

function defaultContainer(
  pod: Pod,
  container: AnyContainer,
  policy: UsablePolicy,
  annotations: ProfileAnnotations,
): void {
  const { spec } = policy;
  const { securityContext: inherited = {} } = pod.spec as Partial<Pod['spec']>;
  const setUninherited = <Field extends InheritedField>(field: Field, value: SecurityContext[Field]): void => {
    if (inherited[field] === undefined) setMissing(container, field, value);
  };
  const isNew = inherited.runAsUser === undefined && container.securityContext?.runAsUser === undefined;
  setUninherited('runAsUser', firstId(policy.runAsUser));
  setUninherited('runAsGroup', firstId(policy.runAsGroup));
  setUninherited('seLinuxOptions', seLinuxOf(policy));
  const armor = annotations.appArmor(container.name);
  const { defaultProfile } = policy.appArmor;
  if (defaultProfile !== '' && !annotationOf(pod, armor)) annotate(pod, armor, defaultProfile);
  if (isNew && policy.runAsUser.rule === 'MustRunAsNonRoot') setUninherited('runAsNonRoot', true);
  defaultCapabilities(container, spec);
  if (spec.readOnlyRootFilesystem) setMissing(container, 'readOnlyRootFilesystem', true);
  setMissing(container, 'allowPrivilegeEscalation', spec.defaultAllowPrivilegeEscalation);
  if (!spec.allowPrivilegeEscalation) setMissing(container, 'allowPrivilegeEscalation', false);
}

/** Adds the default capabilities that the container does not drop, and drops the required ones. */
function defaultCapabilities(container: AnyContainer, spec: PolicySpec): void {
  const { add: added = [], drop: dropped = [] } = container.securityContext?.capabilities ?? {};
  const defaults = (spec.defaultAddCapabilities ?? []).filter((name) => !dropped.includes(name));
  const add = new Set([...added, ...defaults]);
  const drop = new Set([...dropped, ...(spec.requiredDropCapabilities ?? [])]);
  if (add.size === new Set(added).size && drop.size === new Set(dropped).size) return;
  (container.securityContext ??= {}).capabilities = {
    ...(add.size > 0 ? { add: [...add].toSorted() } : {}),
    ...(drop.size > 0 ? { drop: [...drop].toSorted() } : {}),
  };
}

/** Sets a field of the security context if it is missing and there is a value. */
function setMissing<Context extends object, Field extends keyof Context>(
  holder: { securityContext?: Context },
  field: Field,
  value: Context[Field] | undefined,
): void {
  if (value === undefined || holder.securityContext?.[field] !== undefined) return;
  holder.securityContext = { ...holder.securityContext, [field]: structuredClone(value) } as Context;
}

/** The first id of a rule that prescribes one. */
function firstId({ rule, ranges }: IdRule): number | undefined {
  return rule === 'MustRunAs' ? ranges[0]?.min : undefined;
}

function seLinuxOf({ spec: { seLinux } }: UsablePolicy): SELinuxOptions | undefined {
  return seLinux.rule === 'MustRunAs' ? seLinux.seLinuxOptions : undefined;
}

function annotate({ metadata }: Pod, name: string, value: string): void {
  metadata.annotations = { ...metadata.annotations, [name]: value };
}
