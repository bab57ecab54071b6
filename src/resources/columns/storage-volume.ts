import type { CellContext, Column } from '../../codec/table-definition.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../gen/stored/core-v1.ts';
import { requestedStorageClass } from '../../kinds/core/persistent-volume-claim.ts';
import { wideColumn } from './column.ts';

/** A kind with storage. */
type Storage = PersistentVolume | PersistentVolumeClaim;

const modes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Access modes in their short forms, in a fixed order: `RWO,ROX`. */
export function accessModes(given: readonly string[] = []): string {
  return modes
    .filter(([mode]) => given.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** The amount of storage in a capacity, `0` if it is not given. */
export function storageAmount(capacity: Readonly<Record<string, string>> = {}): string {
  return capacity['storage'] || '0';
}

/** The cell with the phase of a volume or a claim. */
export function phaseOf({ metadata, status }: Storage): string {
  return metadata.deletionTimestamp ? 'Terminating' : status.phase;
}

/** The cell with the storage class of a volume or a claim. */
export function storageClassOf(object: Storage, { identifiers }: CellContext): string {
  return requestedStorageClass(object, identifiers) ?? '';
}

/** The column with the mode of a volume or a claim. */
export const volumeMode: Column<Storage> = wideColumn(
  'VolumeMode',
  'Whether the volume has a file system or is a block device.',
  ({ spec }) => spec.volumeMode || '<unset>',
);
