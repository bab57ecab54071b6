import type { CSINode } from '../../../gen/stored/storage-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';

/** The resource `csinodes` of the group `storage`. */
export const csiNodes = builtIn<CSINode>({
  group: 'storage',
  resource: 'csinodes',
  kind: 'CSINode',
  versions: {
    v1: { introduced: '1.17' },
    v1beta1: { introduced: '1.14', deprecated: { since: '1.17', removed: '1.22', replacement: 'v1' } },
  },
  columns,
  strategy,
});
