import type { SecurityContext } from '../../../gen/stored/core-v1.ts';
import type { AnyContainer } from '../../../kinds/core/pod.ts';
import { allowedVolumes, restrictedVolumes } from '../../../kinds/core/volume-sources.ts';
import { addedCapabilities } from './baseline-checks.ts';
import {
  type Check,
  containersViolation,
  distinct,
  isForWindows,
  namedContainers,
  plural,
  quoted,
  securityOf,
  settersOf,
  violation,
} from './checked-pod.ts';
import { seccompProfile } from './profile-checks.ts';

/** Returns a check that does not apply to Pods on Windows. */
export function notOnWindows(check: Check): Check {
  return (pod) => (isForWindows(pod) ? undefined : check(pod));
}

/** No new privileges for processes in containers. */
export const allowPrivilegeEscalation: Check = ({ containers }) => {
  const bad = containers.filter((container) => securityOf(container).allowPrivilegeEscalation !== false);
  const rule = 'must set securityContext.allowPrivilegeEscalation=false';
  return containersViolation('allowPrivilegeEscalation != false', bad, rule);
};

/** No capabilities but that to bind low ports. */
export const onlyBindCapability: Check = (pod) => {
  const keeping = pod.containers.filter((container) => !securityOf(container).capabilities?.drop?.includes('ALL'));
  const added = addedCapabilities(pod, ['NET_BIND_SERVICE']);
  const details = [
    ...(keeping.length > 0 ? [`${namedContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(added === undefined ? [] : [added]),
  ];
  return violation('unrestricted capabilities', details.join('; '));
};

/** Only volumes of the cluster, not of nodes or of storage that the Pod connects to. */
export const volumeTypes: Check = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => !allowedVolumes.some((type) => volume[type]));
  if (bad.length === 0) return undefined;
  const types = distinct(bad.map((volume) => restrictedVolumes.find((type) => volume[type]) ?? 'unknown'));
  const names = quoted(bad.map((volume) => volume.name));
  const use = bad.length === 1 ? 'uses' : 'use';
  const detail = `${plural('volume', bad.length)} ${names} ${use} ${plural('restricted volume type', types.length)}`;
  return { reason: 'restricted volume types', detail: `${detail} ${quoted(types)}` };
};

/** A user other than root is required. */
export const runAsNonRoot: Check = (pod) => {
  const reason = 'runAsNonRoot != true';
  const setters = settersOf(pod, (security) => security.runAsNonRoot === false);
  if (setters) return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  if (securityOf(pod.spec).runAsNonRoot) return undefined;
  return unsetIn(pod.containers, 'runAsNonRoot', reason, 'must set securityContext.runAsNonRoot=true');
};

/** No user root. */
export const runAsUser: Check = (pod) => {
  const setters = settersOf(pod, (security) => security.runAsUser === 0);
  return violation('runAsUser=0', setters && `${setters} must not set runAsUser=0`);
};

/** A seccomp profile is required, the default one or one of nodes. */
export const requiredSeccompProfile: Check = (pod) => {
  const bad = seccompProfile(pod);
  if (bad || securityOf(pod.spec).seccompProfile) return bad;
  const rule = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return unsetIn(pod.containers, 'seccompProfile', 'seccompProfile', rule);
};

/** The violation that a Pod and some of its containers leave a field of the context unset. */
function unsetIn(containers: readonly AnyContainer[], field: keyof SecurityContext, reason: string, rule: string) {
  const bad = containers.filter((container) => securityOf(container)[field] === undefined);
  return violation(reason, bad.length > 0 ? `pod or ${namedContainers(bad)} ${rule}` : '');
}
