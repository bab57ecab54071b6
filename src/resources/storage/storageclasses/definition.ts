import type { StorageClass } from '../../../gen/stored/storage-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `storageclasses` of the group `storage`. */
export const storageClasses = builtIn<StorageClass>({
  group: 'storage',
  resource: 'storageclasses',
  kind: 'StorageClass',
  versions: {
    v1: { introduced: '1.6' },
    v1beta1: { introduced: '1.4', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  shortNames: ['sc'],
  columns,
  strategy,
});
