import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `jobs` of the group `batch`. */
export const jobs = builtIn({
  group: 'batch',
  resource: 'jobs',
  kind: 'Job',
  namespaced: true,
  versions: { v1: {} },
  categories: ['all'],
  subresources: [status],
  columns,
  strategy,
});
