import type { Column } from '../../../codec/table-definition.ts';
import type { StorageVersionMigration } from '../../../gen/stored/storagemigration-v1beta1.ts';
import { builtIn } from '../../built-in.ts';
import { nameColumn, textColumn } from '../../columns/column.ts';
import { statusSubresource } from '../../subresources.ts';
import { firstMigrations } from './convert.ts';
import { strategy } from './strategy.ts';

/** The columns of StorageVersionMigrations. */
const columns: readonly Column<StorageVersionMigration>[] = [
  { ...nameColumn, format: '' },
  textColumn('Resource', 'Resource whose objects are migrated, with its group.', ({ spec }) =>
    [spec.resource.resource, spec.resource.group].filter((part) => part !== '').join('.'),
  ),
  { ...textColumn('Status', 'State of the migration.', stateOf), since: '1.36' },
];

const states: ReadonlySet<string> = new Set(['Running', 'Failed', 'Succeeded']);

function stateOf({ status: { conditions = [] } }: StorageVersionMigration): string {
  return conditions.findLast(({ type, status }) => status === 'True' && states.has(type))?.type ?? 'Unknown';
}

/** The resource `storageversionmigrations` of the group `storagemigration`. */
export const storageVersionMigrations = builtIn<StorageVersionMigration>({
  group: 'storagemigration',
  resource: 'storageversionmigrations',
  kind: 'StorageVersionMigration',
  versions: {
    v1beta1: { introduced: '1.35', optIn: true, gate: 'StorageVersionMigrator', deprecated: { since: '1.38' } },
    v1alpha1: {
      introduced: '1.30',
      gate: 'StorageVersionMigrator',
      deprecated: { since: '1.33', removed: '1.35', announced: '1.36' },
      conversion: firstMigrations,
    },
  },
  subresources: [statusSubresource],
  columns,
  strategy,
});
