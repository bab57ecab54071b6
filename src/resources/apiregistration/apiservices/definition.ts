import type { APIService } from '../../../gen/stored/apiregistration-v1.ts';
import { builtIn } from '../../built-in.ts';
import { statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';
import type { Column } from '../../../codec/table.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';

/** The columns of API services. */
const columns: readonly Column<APIService>[] = [
  nameColumn,
  textColumn('Service', 'Service that serves the version; Local if this server does.', ({ spec: { service } }) =>
    service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
  ),
  textColumn('Available', 'Whether the version is served.', available),
  ageColumn,
];

/** The status of the condition, with the reason if it is not True. */
function available({ status: { conditions = [] } }: APIService): string {
  const found = conditions.find(({ type }) => type === 'Available');
  if (!found) return 'Unknown';
  return found.status === 'True' ? found.status : `${found.status} (${found.reason ?? ''})`;
}

/** The resource `apiservices` of the group `apiregistration`. */
export const apiServices = builtIn<APIService>({
  group: 'apiregistration',
  resource: 'apiservices',
  kind: 'APIService',
  versions: {
    v1: { introduced: '1.10' },
    v1beta1: { introduced: '1.7', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  categories: ['api-extensions'],
  subresources: [statusSubresource],
  columns,
  strategy,
});
