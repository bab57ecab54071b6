import { builtIn } from '../../built-in.ts';
import { columns } from './columns.ts';
import { strategy } from './strategy.ts';
import { token } from '../../subresources.ts';

/** The resource `serviceaccounts` of the core group. */
export const serviceAccounts = builtIn({
  group: '',
  resource: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['sa'],
  subresources: [token],
  columns,
  strategy,
});
