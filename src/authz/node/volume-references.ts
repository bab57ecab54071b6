import type { PersistentVolume, PersistentVolumeSpec } from '../../gen/stored/core-v1.ts';
import type { VolumeAttachment } from '../../gen/stored/storage-v1.ts';
import type { Reference } from './reference-graph.ts';
import { vertex } from './vertex.ts';

/**
 * A bound volume may be read by the readers of its claim, and its Secrets by its own readers. A
 * Secret without namespace is one of the claim's.
 */
export function volumeReferences({ metadata, spec }: PersistentVolume): readonly Reference[] {
  const { name: claimName, namespace: claimNamespace = '' } = spec.claimRef ?? {};
  if (!claimName) return [];
  const holder = vertex('volume', '', metadata.name ?? '');
  return [
    { target: holder, holder: vertex('claim', claimNamespace, claimName) },
    ...secretsOf(spec).flatMap(({ namespace, name }) =>
      name ? [{ target: vertex('secret', namespace || claimNamespace, name), holder }] : [],
    ),
  ];
}

/** The references to Secrets in the sources of volumes that a node resolves. */
function secretsOf({
  azureFile,
  cephfs,
  cinder,
  csi,
  flexVolume,
  iscsi,
  rbd,
  scaleIO,
  storageos,
}: PersistentVolumeSpec) {
  return [
    { name: azureFile?.secretName, namespace: azureFile?.secretNamespace },
    ...[cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map((source) => source?.secretRef ?? {}),
    ...[csi?.nodePublishSecretRef, csi?.nodeStageSecretRef, csi?.nodeExpandSecretRef].map((secret) => secret ?? {}),
  ];
}

/** An attachment may be read by its node. */
export function attachmentReferences({ metadata, spec: { nodeName } }: VolumeAttachment): readonly Reference[] {
  if (nodeName === '') return [];
  return [{ target: vertex('attachment', '', metadata.name ?? ''), holder: vertex('node', '', nodeName) }];
}
