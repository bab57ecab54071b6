import type { Column } from '../../../codec/table.ts';
import type { ResourceSlice } from '../../../gen/stored/resource-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { deviceVersions } from '../device-versions.ts';
import { newestOlderSlices, oldestSlices } from './convert.ts';
import { strategy } from './strategy.ts';

/** The columns of resource slices. */
const columns: readonly Column<ResourceSlice>[] = [
  nameColumn,
  textColumn('Node', 'Node that has the devices, if they belong to one.', ({ spec }) => spec.nodeName ?? ''),
  textColumn('Driver', 'Driver that published the devices.', ({ spec }) => spec.driver),
  textColumn('Pool', 'Pool of the devices.', ({ spec }) => spec.pool.name),
  ageColumn,
];

/** The resource `resourceslices` of the group `resource`. */
export const resourceSlices = builtIn<ResourceSlice>({
  group: 'resource',
  resource: 'resourceslices',
  kind: 'ResourceSlice',
  versions: deviceVersions(newestOlderSlices, oldestSlices),
  columns,
  strategy,
});
