import type { Column } from '../../../codec/table-definition.ts';
import type { ResourceSlice } from '../../../gen/stored/resource-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { deviceVersions } from '../device-versions.ts';
import { newestOlderSlices, oldestSlices } from './convert.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { defaultTaintTimes } from '../../rules/devices/taint-times.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { validateSlice } from './validate.ts';

function warnOfCase({ spec: { driver } }: ResourceSlice, context: StrategyContext): void {
  if (driver === driver.toLowerCase()) return;
  context.warn(
    `spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`,
  );
}

/** The strategy of ResourceSlices. Each change of the spec increments the generation. */
const strategy: Strategy<ResourceSlice> = {
  generation: true,
  returnsDeletedObject: true,
  default: ({ spec }) => {
    for (const { taints = [], nodeAllocatableResourceMappings: mappings = {} } of spec.devices ?? []) {
      defaultTaintTimes(taints);
      for (const mapping of Object.values(mappings)) mapping.allocationMultiplier ??= '1';
    }
  },
  validate: (slice, context, old) => {
    warnOfCase(slice, context);
    return validateSlice(slice, old);
  },
  validateUpdate: ({ spec }, { spec: old }) => [
    ...checkImmutable('spec.pool.name', spec.pool.name, old.pool.name),
    ...checkImmutable('spec.driver', spec.driver, old.driver),
    ...checkImmutable('spec.nodeName', spec.nodeName, old.nodeName),
  ],
  selectableFields: ['spec.nodeName', 'spec.driver'],
  fieldsOf: ({ spec }) => ({ 'spec.nodeName': spec.nodeName ?? '', 'spec.driver': spec.driver }),
};

/** The columns of ResourceSlices. */
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
