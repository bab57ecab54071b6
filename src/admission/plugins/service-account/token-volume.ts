import type { Container, PodSpec, Volume, VolumeProjection } from '../../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { generateName } from '../../../meta/random-suffix.ts';

/** A volume with the token of a service account. */
export interface TokenVolume {
  /** Reports whether a volume of the Pod has the token already. */
  readonly isIn: (volume: Volume) => boolean;
  /** The name of the volume; `taken` are the names of the Pod's other volumes. */
  readonly name: (taken: readonly string[]) => string;
  /** The source of the volume, besides its name. */
  readonly source: () => Omit<Volume, 'name'>;
}

/**
 * An hour, and seven seconds by which the server recognises tokens of these volumes: use after
 * the expiry is accepted, and logged.
 */
const tokenSeconds = 3607;

/** The mode of files in volumes: 0644. */
const fileMode = 420;

/** A volume of a Secret with a token. It has the name of the Secret, with hyphens for dots. */
export function secretTokenVolume(secretName: string): TokenVolume {
  const plain = secretName.replaceAll('.', '-');
  return {
    isIn: ({ secret }) => secret?.secretName === secretName,
    name: (taken) => (taken.includes(plain) ? generateName(`${plain}-`) : plain),
    source: () => ({ secret: { secretName, defaultMode: fileMode } }),
  };
}

/**
 * A projected volume with a token that is bound to the Pod, the certificates of the server, and the
 * namespace (spec 5.2).
 */
export function boundTokenVolume({ prefix, rootCaConfigMap }: Identifiers): TokenVolume {
  const base = `${prefix}api-access-`;
  const sources = (): VolumeProjection[] => [
    { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
    { configMap: { name: rootCaConfigMap, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ];
  return {
    isIn: ({ name }) => name.startsWith(base),
    name: () => generateName(base),
    source: () => ({ projected: { sources: sources(), defaultMode: fileMode } }),
  };
}

/**
 * Mounts a token into the containers of a Pod, except those that mount something else at its path.
 * Mutates.
 */
export function mountToken(spec: PodSpec, volume: TokenVolume, mountPath: string): void {
  const isMounted = ({ volumeMounts = [] }: Container) => volumeMounts.some((mount) => mount.mountPath === mountPath);
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const without = containers.filter((container) => !isMounted(container));
  if (without.length === 0) return;
  const { volumes = [] } = spec;
  const own = volumes.find(volume.isIn);
  const name = own?.name ?? volume.name(volumes.map((one) => one.name));
  for (const container of without) {
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
  }
  if (!own) spec.volumes = [...volumes, { name, ...volume.source() }];
}
