import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { status } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `resourcequotas` of the core group. */
export const resourceQuotas = builtIn({
  group: '',
  resource: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['quota'],
  subresources: [status],
  columns,
  strategy,
});
