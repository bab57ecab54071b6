import { builtIn } from '../../built-in.ts';
import { age, name, text, wide } from '../../columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `persistentvolumes` of the core group. */
export const persistentVolumes = builtIn({
  group: '',
  resource: 'persistentvolumes',
  kind: 'PersistentVolume',
  versions: { v1: {} },
  shortNames: ['pv'],
  subresources: [status],
  columns: [
    name,
    text('Capacity'),
    text('Access Modes'),
    text('Reclaim Policy'),
    text('Status'),
    text('Claim'),
    text('StorageClass'),
    text('Reason'),
    age,
    wide('VolumeMode'),
  ],
  strategy,
});
