import type { Pod } from '../../controllers/resources.ts';

/** A port of a node that a pod takes. */
export interface HostPort {
  readonly port: number;
  readonly protocol: string;
  /** `0.0.0.0` takes the port of every address. */
  readonly ip: string;
}

const everyAddress = '0.0.0.0';

/** The ports that a pod takes of its node. */
export function hostPortsOf({ spec }: Pod): readonly HostPort[] {
  const lasting = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(spec.containers ?? []), ...lasting].flatMap(({ ports = [] }) =>
    ports
      .filter(({ hostPort = 0 }) => hostPort > 0)
      .map(({ hostPort = 0, protocol, hostIP }) => ({
        port: hostPort,
        protocol: protocol || 'TCP',
        ip: hostIP || everyAddress,
      })),
  );
}

/** True if two pods with these ports cannot be on one node. */
export function portsCollide(ports: readonly HostPort[], taken: readonly HostPort[]): boolean {
  return ports.some((one) =>
    taken.some(
      (other) =>
        one.port === other.port &&
        one.protocol === other.protocol &&
        (one.ip === other.ip || one.ip === everyAddress || other.ip === everyAddress),
    ),
  );
}
