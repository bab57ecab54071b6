import type { PersistentVolume } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { accessModes, phaseOf, storageAmount, storageClassOf, volumeMode } from '../../columns/storage-volume.ts';
import { statusSubresource } from '../../subresources.ts';
import { now } from '../../../meta/time.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { validateVolume, validateVolumeUpdate } from './validate.ts';

/** The resource `persistentvolumes` of the core group. */
export const persistentVolumes = builtIn<PersistentVolume>({
  group: '',
  resource: 'persistentvolumes',
  kind: 'PersistentVolume',
  versions: { v1: {} },
  shortNames: ['pv'],
  subresources: [statusSubresource],
  columns: [
    nameColumn,
    textColumn('Capacity', 'Size of the volume.', ({ spec }) => storageAmount(spec.capacity)),
    textColumn('Access Modes', 'How the volume can be mounted.', ({ spec }) => accessModes(spec.accessModes)),
    textColumn(
      'Reclaim Policy',
      'What happens to the volume when its claim is deleted.',
      ({ spec }) => spec.persistentVolumeReclaimPolicy ?? '',
    ),
    textColumn('Status', 'Phase of the volume.', phaseOf),
    textColumn('Claim', 'Namespace and name of the claim that the volume is bound to.', ({ spec: { claimRef } }) =>
      claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
    ),
    textColumn('StorageClass', 'Storage class of the volume.', storageClassOf),
    {
      ...textColumn<PersistentVolume>(
        'VolumeAttributesClass',
        'Class of attributes of the volume.',
        ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
      ),
      since: '1.29',
    },
    textColumn('Reason', 'Reason of the phase.', (volume) => volume.status.reason ?? ''),
    ageColumn,
    volumeMode,
  ],
  strategy: {
    returnsDeletedObject: true,
    default: defaultVolume,
    prepareForCreate: (volume, { emulated }) => {
      const times =
        isSince(emulated.release, '1.31') || emulated.isFeatureEnabled('PersistentVolumeLastPhaseTransitionTime');
      volume.status = { phase: 'Pending', ...(times ? { lastPhaseTransitionTime: now() } : {}) };
    },
    subresources: { status: { prepareForUpdate: stampPhase } },
    validate: validateVolume,
    validateUpdate: validateVolumeUpdate,
    generation: false,
  },
});

/** Sets the transition time when the phase changes, unless the client sets it. Mutates. */
function stampPhase(
  { status }: PersistentVolume,
  { status: old }: PersistentVolume,
  { emulated }: StrategyContext,
): void {
  if (!isSince(emulated.release, '1.31') && !emulated.isFeatureEnabled('PersistentVolumeLastPhaseTransitionTime'))
    return;
  const isSamePhase = status.phase === old.phase;
  const { lastPhaseTransitionTime: time } = status;
  if (isSamePhase) {
    if (!time && old.lastPhaseTransitionTime) status.lastPhaseTransitionTime = old.lastPhaseTransitionTime;
  } else if (!time || time === old.lastPhaseTransitionTime) status.lastPhaseTransitionTime = now();
}

/**
 * Fills in the defaults of a persistent volume. Volumes in a VolumeAttachment get none. Mutates.
 */
function defaultVolume({ spec }: PersistentVolume): void {
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
}
