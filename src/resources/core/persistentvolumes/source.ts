import type { JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, stringAt } from '../../../meta/read-field.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkRequiredString, checkString } from '../../rules/fields/check.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';
import { checkNoBacksteps } from '../pods/reference.ts';
import { type SourceRule, volumeSourceRules } from '../pods/volume-source.ts';

/**
 * The sources of persistent volumes, in the order in which they are checked. If several are set,
 * the first one counts.
 */
export const persistentSources: readonly string[] = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
];

/**
 * The rules of the sources of persistent volumes. Their secrets have a namespace, and some sources
 * have more fields than in pods.
 */
export const persistentSourceRules: Readonly<Record<string, SourceRule>> = {
  ...volumeSourceRules,
  glusterfs: glusterErrors,
  iscsi: (source, path) => [
    ...(volumeSourceRules['iscsi']?.(source, path) ?? []),
    ...secretErrors(source, path, ['name']),
  ],
  cinder: (source, path) => secretErrors(source, path, ['name', 'namespace']),
  storageos: (source, path) => [
    ...(volumeSourceRules['storageos']?.(source, path) ?? []),
    ...secretErrors(source, path, ['namespace']),
  ],
  azureFile: (source, path) => (source['secretNamespace'] === '' ? [required(`${path}.secretNamespace`)] : []),
  local: (source, path) => checkNoBacksteps(`${path}.path`, stringAt(source, 'path')),
  csi: csiErrors,
};

function glusterErrors(source: JsonObject, path: string): readonly FieldError[] {
  if (!isSet(source, 'endpointsNamespace')) return noErrors;
  const field = `${path}.endpointsNamespace`;
  const namespace = stringAt(source, 'endpointsNamespace');
  if (namespace !== '') return checkString(field, namespace, validateDnsLabel);
  return [invalid(field, '', 'if the endpointnamespace is set, it must be a valid namespace name')];
}

function secretErrors(source: JsonObject, path: string, needed: readonly string[]): FieldError[] {
  if (!isSet(source, 'secretRef')) return [];
  const reference = objectAt(source, 'secretRef');
  return needed.filter((name) => stringAt(reference, name) === '').map((name) => required(`${path}.secretRef.${name}`));
}

/**
 * The fields of a CSI source that refer to secrets and are checked, with their names in errors.
 * kube-apiserver does not check `nodeStageSecretRef`, and writes one name with a space.
 */
const csiSecrets = [
  ['controllerPublishSecretRef', 'controllerPublishSecretRef'],
  ['controllerExpandSecretRef', 'controllerExpandSecretRef'],
  ['nodePublishSecretRef', 'nodePublishSecretRef '],
] as const;

function csiErrors(source: JsonObject, path: string): FieldError[] {
  return [
    ...checkCsiDriverName(`${path}.driver`, stringAt(source, 'driver')),
    ...(stringAt(source, 'volumeHandle') === '' ? [required(`${path}.volumeHandle`)] : []),
    ...csiSecrets
      .filter(([name]) => isSet(source, name))
      .flatMap(([name, shown]) =>
        ['name', 'namespace'].flatMap((part) =>
          checkRequiredString(`${path}.${shown}.${part}`, stringAt(objectAt(source, name), part), validateDnsLabel),
        ),
      ),
  ];
}
