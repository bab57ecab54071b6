import { hasEnded, isReady } from '../../kinds/core/pod.ts';
import type { Pod, Service } from '../resources.ts';
import type { EndpointPort, ObjectReference, ServicePort } from '../../gen/types/core-v1.ts';
import { groupBy } from '../../meta/group-by.ts';

/** A pod behind a Service, at the addresses of one family. */
export interface ServiceBackend {
  readonly ip: string;
  readonly ready: boolean;
  /** Ready, although it may be terminating. */
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly nodeName: string | undefined;
  /** The name of a pod that has its own in the domain of the Service. */
  readonly hostname: string | undefined;
  readonly target: ObjectReference;
  readonly ports: readonly EndpointPort[];
}

/** True if the controller keeps the endpoints of a Service; others are kept by their authors. */
export function hasSelector({ spec }: Service): boolean {
  return Object.keys(spec.selector ?? {}).length > 0 && spec.type !== 'ExternalName';
}

/** True if a Service selects the labels of a pod. */
export function selectsPod({ spec }: Service, labels: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(spec.selector ?? {}).every(([name, value]) => labels[name] === value);
}

/** True if a Service has no address of its own. */
export function isHeadless({ spec }: Service): boolean {
  return spec.clusterIP === 'None' || spec.clusterIP === '';
}

/** The pods behind a Service that have an address of a family, and have not ended. */
export function backendsOf(service: Service, pods: readonly Pod[], family: string): ServiceBackend[] {
  return pods.flatMap((pod) => {
    const ip = addressesOf(pod).find((address) => address.includes(':') === (family === 'IPv6'));
    return ip === undefined || hasEnded(pod) ? [] : [backendOf(service, pod, ip)];
  });
}

function backendOf(service: Service, pod: Pod, ip: string): ServiceBackend {
  const { name, namespace, uid, deletionTimestamp } = pod.metadata;
  const serving = isReady(pod) || service.spec.publishNotReadyAddresses === true;
  const terminating = deletionTimestamp !== undefined;
  const { hostname, subdomain, nodeName } = pod.spec;
  return {
    ip,
    serving,
    terminating,
    ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating),
    nodeName,
    hostname: hostname && subdomain === service.metadata.name ? hostname : undefined,
    target: { kind: 'Pod', namespace, name, uid },
    ports: (service.spec.ports ?? []).flatMap((port) => portOf(port, pod) ?? []),
  };
}

function addressesOf({ status }: Pod): string[] {
  return status?.podIPs?.flatMap(({ ip }) => ip ?? []) ?? (status?.podIP ? [status.podIP] : []);
}

/** A port of the Service at the pod; undefined if no container has a port of the target's name. */
function portOf({ name, protocol = 'TCP', port, targetPort = port, appProtocol }: ServicePort, pod: Pod) {
  const number = typeof targetPort === 'number' ? targetPort : namedPort(pod, targetPort, protocol);
  if (number === undefined) return undefined;
  return { ...(name ? { name } : {}), port: number, protocol, ...(appProtocol ? { appProtocol } : {}) };
}

function namedPort({ spec }: Pod, name: string, protocol: string): number | undefined {
  const ports = (spec.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports.find((port) => port.name === name && (port.protocol ?? 'TCP') === protocol)?.containerPort;
}

/** Groups backends by their ports, which pods may resolve differently. */
export function byPorts(backends: readonly ServiceBackend[]): ReadonlyMap<string, readonly ServiceBackend[]> {
  return groupBy(backends, ({ ports }) => portsKey(ports));
}

/** A text that is equal for equal ports. */
export function portsKey(ports: readonly Partial<EndpointPort>[] | undefined): string {
  const parts = (ports ?? []).map(({ name = '', port, protocol, appProtocol = '' }) =>
    JSON.stringify([name, port, protocol, appProtocol]),
  );
  return parts.toSorted().join();
}
