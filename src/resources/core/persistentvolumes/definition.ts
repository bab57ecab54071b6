import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
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
  columns,
  strategy,
});
