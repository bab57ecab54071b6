import type { JsonObject } from '../../meta/json-value.ts';
import { annotationsOf, nameOf, namespaceOf } from '../../meta/object-meta.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import type { Reference } from './reference-graph.ts';
import { vertex } from './vertex.ts';

/**
 * The objects that a pod refers to, held by its node; none without a node. A mirror pod is created
 * by its node, so it refers to nothing: a node cannot grant itself access.
 */
export function podReferences(pod: JsonObject, mirrorAnnotation: string): readonly Reference[] {
  const spec = objectAt(pod, 'spec');
  const nodeName = stringAt(spec, 'nodeName');
  if (nodeName === '' || Object.hasOwn(annotationsOf(pod), mirrorAnnotation)) return [];
  const namespace = namespaceOf(pod);
  const holder = vertex('node', '', nodeName);
  const referTo = (
    kind: 'secret' | 'configmap' | 'claim' | 'account',
    names: readonly string[],
  ): readonly Reference[] => names.filter(Boolean).map((name) => ({ target: vertex(kind, namespace, name), holder }));
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) => objectsAt(spec, list));
  const volumes = objectsAt(spec, 'volumes');
  return [
    ...referTo('account', [stringAt(spec, 'serviceAccountName')]),
    ...referTo('secret', [
      ...objectsAt(spec, 'imagePullSecrets').map((reference) => stringAt(reference, 'name')),
      ...containers.flatMap((container) => variableSources(container, 'secretRef', 'secretKeyRef')),
      ...volumes.flatMap(volumeSecrets),
    ]),
    ...referTo('configmap', [
      ...containers.flatMap((container) => variableSources(container, 'configMapRef', 'configMapKeyRef')),
      ...volumes.flatMap(volumeConfigMaps),
    ]),
    ...referTo(
      'claim',
      volumes.map((volume) => claimOf(volume, nameOf(pod))),
    ),
  ];
}

/** The names of the objects from which a container gets variables. */
function variableSources(container: JsonObject, all: string, one: string): readonly string[] {
  return [
    ...objectsAt(container, 'envFrom').map((source) => stringAt(objectAt(source, all), 'name')),
    ...objectsAt(container, 'env').map((variable) => stringAt(objectAt(variable, 'valueFrom', one), 'name')),
  ];
}

/** The sources of volumes with a reference to a Secret of the pod's namespace. */
const secretReferences: readonly (readonly [source: string, field: string])[] = [
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
