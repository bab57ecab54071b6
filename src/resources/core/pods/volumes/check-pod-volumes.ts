import type { PodSpec, Volume } from '../../../../gen/stored/core-v1.ts';
import type { EmulatedRelease } from '../../../../scheme/emulated-release.ts';
import { schemaOf } from '../../../../scheme/schema-of.ts';
import { validateSchema } from '../../../../scheme/validate-schema.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { forbidden } from '../../../../status/field-error.ts';
import { checkSource, volumeSourceRules } from './source-rules.ts';

/** The volumes that containers can mount, by name. */
export type Mountable = ReadonlyMap<string, MountableVolume>;

interface MountableVolume {
  /** True if the volume comes from a claim and can thus be a block device. */
  readonly isClaim: boolean;
  /** True if the volume is an image. */
  readonly isImage: boolean;
}

const volumeSchema = schemaOf('api.core.v1.Volume');

/**
 * Checks the volumes of a pod spec: unique names, and one source each. Returns the volumes without
 * errors.
 */
export function checkPodVolumes(spec: FieldCursor<PodSpec>, emulated: EmulatedRelease): Mountable {
  const mountable = new Map<string, MountableVolume>();
  for (const volume of spec.each('volumes')) {
    const before = spec.errors.length;
    checkSources(volume, emulated);
    const name = volume.at('name');
    if (mountable.has(name.value)) name.reportDuplicate();
    // Schema errors of the volume are reported with the errors of the whole object. Here they only
    // make the volume unmountable.
    if (spec.errors.length > before || validateSchema(volumeSchema, volume.value).length > 0) continue;
    const { persistentVolumeClaim, ephemeral, image } = volume.value;
    const isClaim = persistentVolumeClaim !== undefined || ephemeral !== undefined;
    mountable.set(name.value, { isClaim, isImage: image !== undefined });
  }
  return mountable;
}

/** The name of a volume source. */
type Source = Exclude<keyof Volume, 'name'>;

/**
 * Volume sources in the order in which they are checked. The first one counts; further ones are
 * refused.
 */
const order: readonly Source[] = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
];

function checkSources(volume: FieldCursor<Volume>, emulated: EmulatedRelease): void {
  const [source, ...others] = order.filter((name) => volume.value[name]);
  if (source === undefined) volume.reportRequired('must specify a volume type');
  else checkSource(volumeSourceRules, volume, source, emulated);
  for (const name of others) {
    volume.report(
      forbidden(`${volume.path}.${refusedNames.get(name) ?? name}`, 'may not specify more than 1 volume type'),
    );
  }
}

/** The names that kube-apiserver has for some sources in the error that refuses them. */
const refusedNames: ReadonlyMap<string, string> = new Map([
  ['cephfs', 'cephFS'],
  ['downwardAPI', 'downwarAPI'],
]);
