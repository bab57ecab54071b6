import type {
  CSIPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  PersistentVolumeSpec,
  SecretReference,
} from '../../../gen/stored/core-v1.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { checkRequiredString } from '../../rules/fields/field-checks.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';
import { checkNoBacksteps } from '../pods/volumes/reference.ts';
import { type SourceRules, volumeSourceRules } from '../pods/volumes/source-rules.ts';

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

/**
 * The rules of the sources of persistent volumes. Their secrets have a namespace, and some sources
 * have more fields than in pods.
 */
export const persistentSourceRules: SourceRules<Pick<PersistentVolumeSpec, PersistentSource>> = {
  ...volumeSourceRules,
  glusterfs: checkGluster,
  iscsi: (source) => {
    volumeSourceRules.iscsi(source);
    checkSecret(source.at('secretRef'), ['name']);
  },
  cinder: (source) => checkSecret(source.at('secretRef'), ['name', 'namespace']),
  storageos: (source) => {
    volumeSourceRules.storageos(source);
    checkSecret(source.at('secretRef'), ['namespace']);
  },
  azureFile: (source) => {
    if (source.value.secretNamespace === '') source.at('secretNamespace').reportRequired();
  },
  local: (source) => source.report(...checkNoBacksteps(`${source.path}.path`, source.value.path)),
  csi: checkCsi,
};

function checkGluster(source: FieldCursor<GlusterfsPersistentVolumeSource>): void {
  const namespace = source.at('endpointsNamespace');
  namespace.mustBe(validateDnsLabel);
  if (namespace.value === '') {
    namespace.reportInvalid('if the endpointnamespace is set, it must be a valid namespace name');
  }
}

function checkSecret(
  secret: FieldCursor<SecretReference | undefined>,
  needed: readonly (keyof SecretReference)[],
): void {
  if (secret.isPresent()) for (const name of needed) secret.at(name).mustBeSet();
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

function checkCsi(source: FieldCursor<CSIPersistentVolumeSource>): void {
  source.report(...checkCsiDriverName(`${source.path}.driver`, source.value.driver));
  for (const [field, shown] of csiSecrets) {
    const secret = source.value[field];
    if (!secret) continue;
    const { name = '', namespace = '' } = secret;
    source.report(
      ...checkRequiredString(`${source.path}.${shown}.name`, name, validateDnsLabel),
      ...checkRequiredString(`${source.path}.${shown}.namespace`, namespace, validateDnsLabel),
    );
  }
}
