import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `cronjobs` of the group `batch`. */
export const cronJobs = builtIn({
  group: 'batch',
  resource: 'cronjobs',
  kind: 'CronJob',
  namespaced: true,
  versions: {
    v1: {},
    v1beta1: { deprecated: { since: '1.21', removed: '1.25', replacement: 'v1' } },
  },
  shortNames: ['cj'],
  categories: ['all'],
  subresources: [status],
  columns,
  strategy,
});
