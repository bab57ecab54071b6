import type { PersistentVolumeClaimSpec } from '../../../gen/stored/core-v1.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';

/**
 * Copies `dataSource` to `dataSourceRef` or back if one of them is missing. A source in another
 * namespace is not copied. Mutates.
 */
export function matchSources(spec: PersistentVolumeClaimSpec, { release, isFeatureEnabled }: EmulatedRelease): void {
  if (!isSince(release, '1.27') || !isFeatureEnabled('AnyVolumeDataSource')) return;
  const { dataSource, dataSourceRef } = spec;
  if (dataSourceRef?.namespace) return;
  if (dataSource && !dataSourceRef) {
    const { apiGroup, kind, name } = dataSource;
    spec.dataSourceRef = { ...(apiGroup === null ? {} : { apiGroup }), kind, name };
  } else if (dataSourceRef && !dataSource) {
    const { apiGroup = null, kind, name } = dataSourceRef;
    spec.dataSource = { apiGroup, kind, name };
  }
}
