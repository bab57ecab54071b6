import type { JsonObject } from './json-value.ts';
import { nameOf } from './object-meta.ts';
import { isSet, objectAt, objectsAt, stringAt } from './read-field.ts';

/** The names of the objects of its namespace that a pod refers to. */
interface PodReferences {
  readonly serviceAccounts: readonly string[];
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
}

/** Reads the references of a pod; names may be repeated. */
export function referencesOfPod(pod: JsonObject): PodReferences {
  const spec = objectAt(pod, 'spec');
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => objectsAt(spec, list));
  const volumes = objectsAt(spec, 'volumes');
  return {
    serviceAccounts: [stringAt(spec, 'serviceAccountName')].filter(Boolean),
    secrets: [
      ...objectsAt(spec, 'imagePullSecrets').map((reference) => stringAt(reference, 'name')),
      ...containers.flatMap((container) => variableSources(container, 'secretRef', 'secretKeyRef')),
      ...volumes.flatMap(volumeSecrets),
    ].filter(Boolean),
    configMaps: [
      ...containers.flatMap((container) => variableSources(container, 'configMapRef', 'configMapKeyRef')),
      ...volumes.flatMap(volumeConfigMaps),
    ].filter(Boolean),
    claims: volumes.map((volume) => claimOf(volume, nameOf(pod))).filter(Boolean),
  };
}

/** The names of the objects from which a container gets variables. */
function variableSources(container: JsonObject, all: string, one: string): readonly string[] {
  return [
    ...objectsAt(container, 'envFrom').map((source) => stringAt(objectAt(source, all), 'name')),
    ...objectsAt(container, 'env').map((variable) => stringAt(objectAt(variable, 'valueFrom', one), 'name')),
  ];
}

/**
 * The sources of volumes with a reference to a Secret: for the volumes of Pods in their namespace.
 */
export const secretReferences: readonly (readonly [source: string, field: string])[] = [
  ['cephfs', 'secretRef'],
  ['cinder', 'secretRef'],
  ['flexVolume', 'secretRef'],
  ['rbd', 'secretRef'],
  ['scaleIO', 'secretRef'],
  ['iscsi', 'secretRef'],
  ['storageos', 'secretRef'],
  ['csi', 'nodePublishSecretRef'],
];

function volumeSecrets(volume: JsonObject): readonly string[] {
  return [
    stringAt(objectAt(volume, 'secret'), 'secretName'),
    stringAt(objectAt(volume, 'azureFile'), 'secretName'),
    ...secretReferences.map(([source, field]) => stringAt(objectAt(volume, source, field), 'name')),
    ...objectsAt(objectAt(volume, 'projected'), 'sources').map((source) =>
      stringAt(objectAt(source, 'secret'), 'name'),
    ),
  ];
}

function volumeConfigMaps(volume: JsonObject): readonly string[] {
  return [
    stringAt(objectAt(volume, 'configMap'), 'name'),
    ...objectsAt(objectAt(volume, 'projected'), 'sources').map((source) =>
      stringAt(objectAt(source, 'configMap'), 'name'),
    ),
  ];
}

/** The claim of a volume; that of an ephemeral volume is named after pod and volume. */
function claimOf(volume: JsonObject, podName: string): string {
  if (isSet(volume, 'ephemeral')) return `${podName}-${stringAt(volume, 'name')}`;
  return stringAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName');
}
