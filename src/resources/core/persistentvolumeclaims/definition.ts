import type { PersistentVolumeClaim } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { accessModes, phaseOf, storageAmount, storageClassOf, volumeMode } from '../../columns/storage-volume.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { matchSources } from './match-sources.ts';
import { checkClaimSpec, validateClaimStatus, validateClaimUpdate } from './validate.ts';

/** The strategy of persistent volume claims. */
const strategy: Strategy<PersistentVolumeClaim> = {
  returnsDeletedObject: true,
  prepareForCreate: (claim, { identifiers, emulated }) => {
    claim.status = { phase: 'Pending' };
    dropCrossNamespaceSource(claim, undefined, emulated);
    if (!keepsSource(claim, undefined, emulated)) dropUnknownSource(claim, identifiers);
    matchSources(claim.spec, emulated);
  },
  prepareForUpdate: (claim, old, { identifiers, emulated }) => {
    dropCrossNamespaceSource(claim, old, emulated);
    if (!keepsSource(claim, old, emulated)) dropUnknownSource(claim, identifiers);
    matchSources(claim.spec, emulated);
  },
  validate: ({ spec }, { emulated }, old) => checkClaimSpec(spec, 'spec', emulated, old?.spec),
  validateUpdate: validateClaimUpdate,
  subresources: { status: { validateUpdate: validateClaimStatus } },
  generation: false,
};

/**
 * Removes a source in another namespace while the gate is off: without the namespace it would be a
 * different object. Mutates.
 */
function dropCrossNamespaceSource(
  { spec }: PersistentVolumeClaim,
  old: PersistentVolumeClaim | undefined,
  { isFeatureEnabled }: EmulatedRelease,
): void {
  const hadSource = old?.spec.dataSource ?? old?.spec.dataSourceRef;
  if (spec.dataSourceRef?.namespace && !hadSource && !isFeatureEnabled('CrossNamespaceVolumeDataSource')) {
    delete spec.dataSourceRef;
  }
}

/**
 * True if the data source is kept as it is: the old claim has one, or since 1.27 `dataSourceRef` is
 * set.
 */
function keepsSource(
  { spec }: PersistentVolumeClaim,
  old: PersistentVolumeClaim | undefined,
  { release }: EmulatedRelease,
): boolean {
  if (old?.spec.dataSource) return true;
  return isSince(release, '1.27') && Boolean(spec.dataSourceRef ?? old?.spec.dataSourceRef);
}

/** Removes a data source that is neither a claim nor a volume snapshot. Mutates. */
function dropUnknownSource({ spec }: PersistentVolumeClaim, { apiDomain }: Identifiers): void {
  const { apiGroup, kind } = spec.dataSource ?? {};
  const name = `${apiGroup ?? ''}/${kind}`;
  if (!['/PersistentVolumeClaim', `snapshot.storage.${apiDomain}/VolumeSnapshot`].includes(name)) {
    delete spec.dataSource;
  }
}

/** The resource `persistentvolumeclaims` of the core group. */
export const persistentVolumeClaims = builtIn<PersistentVolumeClaim>({
  group: '',
  resource: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['pvc'],
  subresources: [statusSubresource],
  // Capacity and access modes come from the volume, once there is one.
  columns: [
    nameColumn,
    textColumn('Status', 'Phase of the claim.', phaseOf),
    textColumn('Volume', 'Volume that the claim is bound to.', ({ spec }) => spec.volumeName ?? ''),
    textColumn('Capacity', 'Size of the volume.', ({ spec, status: { capacity } }) =>
      spec.volumeName ? storageAmount(capacity) : '',
    ),
    textColumn('Access Modes', 'How the volume can be mounted.', ({ spec, status: observed }) =>
      spec.volumeName ? accessModes(observed.accessModes) : '',
    ),
    textColumn('StorageClass', 'Storage class that the claim requires.', storageClassOf),
    {
      ...textColumn<PersistentVolumeClaim>(
        'VolumeAttributesClass',
        'Class of attributes that the claim asks for.',
        ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
      ),
      since: '1.29',
    },
    ageColumn,
    volumeMode,
  ],
  strategy,
});
