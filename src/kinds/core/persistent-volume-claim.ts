import type { PersistentVolume, PersistentVolumeClaim } from '../../gen/stored/core-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';

/**
 * The storage class of a claim, or of a volume: from the deprecated annotation, else from the
 * field; undefined if neither is set.
 */
export function requestedStorageClass(
  { metadata, spec }: PersistentVolumeClaim | PersistentVolume,
  { labelDomain }: Identifiers,
): string | undefined {
  return metadata.annotations?.[`volume.beta.${labelDomain}/storage-class`] ?? spec.storageClassName;
}
