import type { Column } from '../../../codec/table.ts';
import type { APIService } from '../../../gen/stored/apiregistration-v1.ts';
import { age, name, text } from '../../columns/column.ts';

/** The columns of API services. */
export const columns: readonly Column<APIService>[] = [
  name,
  text('Service', 'Service that serves the version; Local if this server does.', ({ spec: { service } }) =>
    service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
  ),
  text('Available', 'Whether the version is served.', available),
  age,
];

/** The status of the condition, with the reason if it is not True. */
function available({ status: { conditions = [] } }: APIService): string {
  const found = conditions.find(({ type }) => type === 'Available');
  if (!found) return 'Unknown';
  return found.status === 'True' ? found.status : `${found.status} (${found.reason ?? ''})`;
}
