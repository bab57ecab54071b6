import type {
  CSIPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  PersistentVolumeSpec,
  SecretReference,
} from '../../../gen/stored/core-v1.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkRequiredString, checkString } from '../../rules/fields/check.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';
import { checkNoBacksteps } from '../pods/reference.ts';
import { shownSource, type SourceRule, volumeSourceRules } from '../pods/volume-source.ts';

/**
 * The sources of persistent volumes, in the order in which they are checked. If several are set,
 * the first one counts.
 */
export const persistentSources = [
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
] as const satisfies readonly (keyof PersistentVolumeSpec)[];

/** A source of persistent volumes. */
export type PersistentSource = (typeof persistentSources)[number];

type SourceRules = {
  readonly [Name in PersistentSource]?: (
    source: NonNullable<PersistentVolumeSpec[Name]>,
    path: string,
  ) => readonly FieldError[];
};

/**
 * The rules of the sources of persistent volumes. Their secrets have a namespace, and some sources
 * have more fields than in pods.
 */
const sourceRules: SourceRules = {
  ...volumeSourceRules,
  glusterfs: glusterErrors,
  iscsi: (source, path) => [
    ...(volumeSourceRules['iscsi']?.(source, path) ?? []),
    ...secretErrors(source.secretRef, path, ['name']),
  ],
  cinder: ({ secretRef }, path) => secretErrors(secretRef, path, ['name', 'namespace']),
  storageos: (source, path) => [
    ...(volumeSourceRules['storageos']?.(source, path) ?? []),
    ...secretErrors(source.secretRef, path, ['namespace']),
  ],
  azureFile: ({ secretNamespace }, path) => (secretNamespace === '' ? [required(`${path}.secretNamespace`)] : []),
  local: (source, path) => checkNoBacksteps(`${path}.path`, source.path),
  csi: csiErrors,
};

/** The errors of a source that its schema does not report. `at` is the path of the spec. */
export function checkPersistentSource(
  spec: PersistentVolumeSpec,
  name: PersistentSource,
  at: string,
): readonly FieldError[] {
  // Each rule is that of the source of the same name.
  const rule = sourceRules[name] as SourceRule | undefined;
  return rule?.(spec[name] ?? {}, `${at}.${shownSource(name)}`) ?? noErrors;
}

function glusterErrors({ endpointsNamespace }: GlusterfsPersistentVolumeSource, path: string): readonly FieldError[] {
  if (endpointsNamespace === undefined) return noErrors;
  const field = `${path}.endpointsNamespace`;
  if (endpointsNamespace !== '') return checkString(field, endpointsNamespace, validateDnsLabel);
  return [invalid(field, '', 'if the endpointnamespace is set, it must be a valid namespace name')];
}

function secretErrors(
  reference: SecretReference | undefined,
  path: string,
  needed: readonly (keyof SecretReference)[],
): readonly FieldError[] {
  if (!reference) return noErrors;
  return needed.filter((name) => !reference[name]).map((name) => required(`${path}.secretRef.${name}`));
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

function csiErrors(source: CSIPersistentVolumeSource, path: string): readonly FieldError[] {
  return [
    ...checkCsiDriverName(`${path}.driver`, source.driver),
    ...csiSecrets.flatMap(([field, shown]) => csiSecretErrors(source[field], `${path}.${shown}`)),
  ];
}

function csiSecretErrors(reference: SecretReference | undefined, path: string): readonly FieldError[] {
  if (!reference) return noErrors;
  const { name = '', namespace = '' } = reference;
  return [
    ...checkRequiredString(`${path}.name`, name, validateDnsLabel),
    ...checkRequiredString(`${path}.namespace`, namespace, validateDnsLabel),
  ];
}
