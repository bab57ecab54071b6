import type { Conversion } from '../../registry/definition/resource-definition.ts';
import type { BuiltInVersion } from '../built-in.ts';

const gate = 'DynamicResourceAllocation';

/**
 * The versions of the device kinds, by release. Some kinds have other shapes in v1beta1 (`older`)
 * and v1alpha3 (`oldest`).
 */
export function deviceVersions(
  older?: Conversion,
  oldest: Conversion | undefined = older,
): Readonly<Record<string, BuiltInVersion>> {
  return {
    v1: { introduced: '1.34', gate },
    v1beta2: { introduced: '1.33', optIn: true, gate, deprecated: { since: '1.36', removed: '1.39' } },
    v1beta1: {
      introduced: '1.32',
      optIn: true,
      gate,
      deprecated: { since: '1.35', removed: '1.38' },
      conversion: older,
    },
    v1alpha3: {
      introduced: '1.31',
      gate,
      deprecated: { since: '1.34', removed: '1.34', replacement: 'v1beta1' },
      conversion: oldest,
    },
  };
}
