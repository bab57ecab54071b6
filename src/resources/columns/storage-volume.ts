import type { Column } from '../../codec/table.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, stringAt, stringsAt } from '../../meta/read-field.ts';
import { wide } from './column.ts';

const modes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** The access modes in a list field in their short forms, in a fixed order: `RWO,ROX`. */
export function accessModes(object: JsonObject): string {
  const given = stringsAt(object, 'accessModes');
  return modes
    .filter(([mode]) => given.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** The amount of storage in a field with resources, `0` if it is not given. */
export function storageAmount(object: JsonObject, field: string): string {
  return stringAt(objectAt(object, field), 'storage') || '0';
}

/** The column with the mode of a volume or a claim. */
export const volumeMode: Column = wide(
  'VolumeMode',
  'Whether the volume has a file system or is a block device.',
  (object) => stringAt(objectAt(object, 'spec'), 'volumeMode') || '<unset>',
);
