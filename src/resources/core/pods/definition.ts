import type { Pod } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { columns, rowConditions } from './columns.ts';
import { binding, ephemeralContainers, eviction, statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `pods` of the core group. */
export const pods = builtIn<Pod>({
  group: '',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['po'],
  categories: ['all'],
  subresources: [binding, ephemeralContainers, eviction, statusSubresource],
  columns,
  rowConditions,
  strategy,
});
