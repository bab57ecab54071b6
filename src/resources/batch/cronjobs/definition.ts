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
    v1: { introduced: '1.21' },
    v1beta1: { introduced: '1.8', deprecated: { since: '1.21', removed: '1.25', replacement: 'v1' } },
  },
  shortNames: ['cj'],
  categories: ['all'],
  subresources: [status],
  columns,
  strategy,
});
