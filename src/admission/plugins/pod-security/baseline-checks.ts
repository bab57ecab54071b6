import type { AnyContainer } from '../../../kinds/core/pod.ts';
import {
  type Check,
  type CheckedPod,
  containersViolation,
  distinct,
  namedContainers,
  plural,
  quoted,
  securityOf,
  settersOf,
  type Violation,
  violation,
} from './checked-pod.ts';

const defaultCapabilities = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

/** No capabilities beyond the default ones. */
export const capabilities: Check = (pod) => {
  const detail = addedCapabilities(pod, defaultCapabilities);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

/** The containers that add capabilities other than `allowed`, for messages. */
export function addedCapabilities({ containers }: CheckedPod, allowed: readonly string[]): string | undefined {
  const addedBy = (container: AnyContainer) =>
    (securityOf(container).capabilities?.add ?? []).filter((name) => !allowed.includes(name));
  const bad = containers.filter((container) => addedBy(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = quoted(distinct(bad.flatMap(addedBy)));
  return `${namedContainers(bad)} must not include ${names} in securityContext.capabilities.add`;
}

/** No namespaces of the node. */
export const hostNamespaces: Check = ({ spec }) => {
  const used = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field]);
  return violation('host namespaces', used.map((field) => `${field}=true`).join(', '));
};

/** No volumes in directories of the node. */
export const hostPathVolumes: Check = ({ spec }) => {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map((volume) => volume.name);
  return violation('hostPath volumes', names.length > 0 ? `${plural('volume', names.length)} ${quoted(names)}` : '');
};

/** No ports of the node. */
export const hostPorts: Check = ({ containers }) =>
  usedBy(containers, hostPortsOf, 'hostPort', (ports) => ports.join(', '));

function hostPortsOf({ ports = [] }: AnyContainer): readonly string[] {
  return ports.flatMap(({ hostPort }) => (hostPort ? [`${hostPort}`] : []));
}

/** No other hosts in probes and lifecycle handlers, which nodes would call. */
export const hostProbes: Check = ({ containers }) =>
  usedBy(containers, handlerHostsOf, 'probe or lifecycle host', quoted);

function handlerHostsOf(container: AnyContainer): readonly string[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  return [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop]
    .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
    .flatMap((host) => host || []);
}

/** The violation that containers use something: `container "a" uses hostPorts 80, 81`. */
function usedBy(
  containers: readonly AnyContainer[],
  used: (container: AnyContainer) => readonly string[],
  reason: string,
  show: (values: readonly string[]) => string,
): Violation | undefined {
  const bad = containers.filter((container) => used(container).length > 0);
  const values = distinct(bad.flatMap(used));
  const use = bad.length === 1 ? 'uses' : 'use';
  return containersViolation(reason, bad, `${use} ${plural(reason, values.length)} ${show(values)}`);
}

/** No privileged containers. */
export const privileged: Check = ({ containers }) => {
  const bad = containers.filter((container) => securityOf(container).privileged);
  return containersViolation('privileged', bad, 'must not set securityContext.privileged=true');
};

/** No unmasked `/proc`. */
export const procMount: Check = ({ containers }) => {
  const bad = containers.filter((container) => mountOf(container) !== 'Default');
  const types = quoted(distinct(bad.map(mountOf)));
  return containersViolation('procMount', bad, `must not set securityContext.procMount to ${types}`);
};

function mountOf(container: AnyContainer): string {
  return securityOf(container).procMount || 'Default';
}

/** Returns a check that allows these kernel parameters only. */
export function sysctls(safe: readonly string[]): Check {
  return ({ spec }) => {
    const names = (securityOf(spec).sysctls ?? []).map(({ name }) => name);
    return violation('forbidden sysctls', names.filter((name) => !safe.includes(name)).join(', '));
  };
}

/** No processes on the host on Windows. */
export const windowsHostProcess: Check = (pod) => {
  const setters = settersOf(pod, (security) => security.windowsOptions?.hostProcess);
  const detail = setters && `${setters} must not set securityContext.windowsOptions.hostProcess=true`;
  return violation('hostProcess', detail);
};
