import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { generateName } from '../../../meta/random-suffix.ts';
import { objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';

/** A volume with the token of a service account. */
export interface TokenVolume {
  /** Reports whether a volume of the Pod has the token already. */
  readonly isIn: (volume: JsonObject) => boolean;
  /** Its name; `taken` are those of the Pod's other volumes. */
  readonly name: (taken: readonly string[]) => string;
  /** The source of the volume, besides its name. */
  readonly source: () => JsonObject;
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
    isIn: (volume) => stringAt(objectAt(volume, 'secret'), 'secretName') === secretName,
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
  const sources = (): JsonObject[] => [
    { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
    { configMap: { name: rootCaConfigMap, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ];
  return {
    isIn: (volume) => stringAt(volume, 'name').startsWith(base),
    name: () => generateName(base),
    source: () => ({ projected: { sources: sources(), defaultMode: fileMode } }),
  };
}

/**
 * Mounts a token into the containers of a Pod, except those that mount something else at its path.
 * Mutates.
 */
export function mountToken(spec: JsonObject, volume: TokenVolume, mountPath: string): void {
  const without = [
    ...containersWithout(objectsAt(spec, 'initContainers'), mountPath),
    ...containersWithout(objectsAt(spec, 'containers'), mountPath),
  ];
  if (without.length === 0) return;
  const volumes = objectsAt(spec, 'volumes');
  const own = volumes.find(volume.isIn);
  const name = own ? stringAt(own, 'name') : volume.name(volumes.map((one) => stringAt(one, 'name')));
  for (const container of without) {
    container['volumeMounts'] = [...mountsOf(container), { name, readOnly: true, mountPath }];
  }
  if (!own) spec['volumes'] = [...volumes, { name, ...volume.source() }];
}

function containersWithout(containers: readonly JsonObject[], mountPath: string): readonly JsonObject[] {
  const isAtPath = (mount: JsonObject): boolean => stringAt(mount, 'mountPath') === mountPath;
  return containers.filter((container) => !mountsOf(container).some(isAtPath));
}

function mountsOf(container: JsonObject): readonly JsonObject[] {
  return objectsAt(container, 'volumeMounts');
}
