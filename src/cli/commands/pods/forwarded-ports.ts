import type * as corev1 from '../../../gen/types/core-v1.ts';
import { CliError } from '../../cli-error.ts';

/** A port of this machine, and the port of the pod that it leads to. */
export interface ForwardedPort {
  /** 0: a free one. */
  readonly local: number;
  readonly remote: number;
}

const greatestPort = 65_535;

/** Parses `LOCAL:REMOTE`, `:REMOTE` or `PORT`; port names are looked up in the pod or Service. */
export function readPort(text: string, { pod, service }: PortNames): ForwardedPort {
  const parts = text.split(':');
  const [first = '', second] = parts;
  const name = second ?? first;
  if (parts.length > 2 || name === '') {
    throw new CliError(`"${text}" is not a port`, { hint: 'write LOCAL:REMOTE, :REMOTE or PORT' });
  }
  const remote = service ? servicePort(service, pod, name) : podPort(pod, name);
  // The local port is the Service's own, not the target port.
  const own = second === undefined ? (service ? servicePortNumber(service, name) : remote) : first;
  return { local: own === '' ? 0 : portNumber(String(own)), remote };
}

/** The objects that give ports their names. */
interface PortNames {
  readonly pod: corev1.Pod;
  readonly service: corev1.Service | undefined;
}

function portNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > greatestPort) {
    throw new CliError(`"${text}" is not a port`, { hint: `use 1 to ${greatestPort}` });
  }
  return number;
}

/** A port of a pod by number, or by the name that one of its containers gives it. */
function podPort({ spec, metadata }: corev1.Pod, name: string): number {
  if (/^\d+$/.test(name)) return portNumber(name);
  const { containers = [], initContainers = [] } = spec ?? {};
  const ports = [...containers, ...initContainers].flatMap(({ ports: own = [] }) => own);
  const found = ports.find((port) => port.name === name)?.containerPort;
  if (found !== undefined) return found;
  throw new CliError(`pod ${metadata?.name ?? ''} has no port "${name}"`);
}

function portOfService({ spec, metadata }: corev1.Service, name: string): corev1.ServicePort {
  const found = spec?.ports?.find((port) => port.name === name || String(port.port) === name);
  if (found) return found;
  throw new CliError(`Service ${metadata?.name ?? ''} does not have a service port ${name}`);
}

function servicePortNumber(service: corev1.Service, name: string): number {
  return portOfService(service, name).port;
}

/** The port of a pod to which a port of a Service leads. */
function servicePort(service: corev1.Service, pod: corev1.Pod, name: string): number {
  const { port, targetPort } = portOfService(service, name);
  if (service.spec?.clusterIP === 'None') return port;
  return targetPort === undefined || targetPort === 0 ? port : podPort(pod, String(targetPort));
}
