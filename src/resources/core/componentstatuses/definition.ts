import type { ComponentCondition, ComponentStatus } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { nameColumn, textColumn } from '../../columns/column.ts';

/** The resource `componentstatuses` of the core group. */
export const componentStatuses = builtIn<ComponentStatus>({
  group: '',
  resource: 'componentstatuses',
  kind: 'ComponentStatus',
  versions: {
    v1: { deprecated: { since: '1.19' } },
  },
  shortNames: ['cs'],
  verbs: ['get', 'list'],
  columns: [
    nameColumn,
    textColumn('Status', 'Health of the component.', (object) => healthOf[health(object)?.status ?? ''] ?? 'Unknown'),
    textColumn('Message', 'Answer of the component.', (object) => health(object)?.message ?? ''),
    textColumn('Error', 'Error of the last check.', (object) => health(object)?.error ?? ''),
  ],
});

const healthOf: Readonly<Record<string, string>> = { True: 'Healthy', False: 'Unhealthy' };

function health({ conditions = [] }: ComponentStatus): ComponentCondition | undefined {
  return conditions.find(({ type }) => type === 'Healthy');
}
