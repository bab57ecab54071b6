import type { ResourceSlice } from '../../../gen/stored/resource-v1.ts';
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

/** The strategy of resource slices. Each change of the spec raises the generation. */
export const strategy: Strategy<ResourceSlice> = {
  generation: true,
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
