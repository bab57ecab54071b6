import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `persistentvolumeclaims` of the core group. */
export const persistentVolumeClaims = builtIn({
  group: '',
  resource: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['pvc'],
  subresources: [status],
  columns,
  strategy,
});
