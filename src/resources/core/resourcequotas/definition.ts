import type { ResourceQuota } from '../../../gen/stored/core-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';

/** The resource `resourcequotas` of the core group. */
export const resourceQuotas = builtIn<ResourceQuota>({
  group: '',
  resource: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['quota'],
  subresources: [statusSubresource],
  columns: [
    nameColumn,
    { ...ageColumn, until: '1.34' },
    textColumn('Request', 'Used and allowed amounts of everything except limits.', (quota) => usage(quota, false)),
    textColumn('Limit', 'Used and allowed amounts of the limits of containers.', (quota) => usage(quota, true)),
    { ...ageColumn, since: '1.34' },
  ],
  strategy,
});

/** `pods: 3/10, requests.cpu: 1/2`, sorted; resources named `limits.*`, or all others. */
function usage({ status: { hard = {}, used = {} } }: ResourceQuota, limits: boolean): string {
  return Object.entries(hard)
    .filter(([resource]) => resource.startsWith('limits.') === limits)
    .map(([resource, amount]) => `${resource}: ${getOwn(used, resource) ?? '0'}/${amount}`)
    .toSorted()
    .join(', ');
}
