import type { VolumeAttachment, VolumeAttachmentSource } from '../../../gen/stored/storage-v1.ts';
import { builtIn } from '../../built-in.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, flagColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { validateInlineVolumeSpec } from '../../core/persistentvolumes/validate.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkCsiDriverName } from '../../rules/fields/csi-driver-name.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { keepMetadata, userFields } from '../../rules/fields/keep-metadata.ts';

/** The strategy of volume attachments. The spec is immutable; the status is the outcome. */
const strategy: Strategy<VolumeAttachment> = {
  returnsDeletedObject: true,
  prepareForUpdate: (attachment, old, { version }) => {
    // v1beta1 has no status sub-resource, so there the status is part of the object.
    if (version !== 'v1beta1') attachment.status = structuredClone(old.status);
  },
  validate: validateAttachment,
  validateCreate: nameErrors,
  validateUpdate: ({ spec }, old) => checkImmutable('spec', spec, old.spec, sameSpec),
  allowUnconditionalUpdate: false,
  subresources: {
    status: keepMetadata([...userFields, 'deletionTimestamp']),
  },
  generation: false,
};

const sameSpec = sameMessage('api.storage.v1.VolumeAttachmentSpec');

function validateAttachment(
  { spec: { attacher, source, nodeName } }: VolumeAttachment,
  { emulated }: StrategyContext,
): readonly FieldError[] {
  return [
    ...(attacher === '' ? [required('spec.attacher')] : []),
    ...sourceErrors(source, emulated),
    ...checkString('spec.nodeName', nodeName, validateDnsSubdomain),
  ];
}

/**
 * Checks the names of the driver and of the volume of a new attachment. v1beta1 does not check
 * them.
 */
function nameErrors({ spec }: VolumeAttachment, { version }: StrategyContext): readonly FieldError[] {
  if (version === 'v1beta1') return [];
  const name = spec.source.persistentVolumeName;
  return [
    ...checkCsiDriverName('spec.attacher', spec.attacher),
    ...(name === undefined ? [] : checkString('spec.source.persistentVolumeName', name, validateDnsSubdomain)),
  ];
}

const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

function sourceErrors(
  { persistentVolumeName: name, inlineVolumeSpec: inline }: VolumeAttachmentSource,
  emulated: EmulatedRelease,
): FieldError[] {
  if (name === undefined && !inline) return [required('spec.source', oneSource)];
  if (name !== undefined && inline) return [forbidden('spec.source', oneSource)];
  if (inline) return [...validateInlineVolumeSpec(inline, 'spec.source.inlineVolumeSpec', emulated)];
  return name === ''
    ? [required('spec.source.persistentVolumeName', 'must specify non empty persistentVolumeName')]
    : [];
}

/** The columns of volume attachments. */
const columns: readonly Column<VolumeAttachment>[] = [
  nameColumn,
  { ...textColumn('Attacher', 'Driver that attaches the volume.', ({ spec }) => spec.attacher), format: 'name' },
  textColumn('PV', 'Persistent volume that is attached.', ({ spec }) => spec.source.persistentVolumeName ?? ''),
  textColumn('Node', 'Node that the volume is attached to.', ({ spec }) => spec.nodeName),
  flagColumn('Attached', 'Whether the volume is attached.', ({ status }) => status.attached),
  ageColumn,
];

/** The resource `volumeattachments` of the group `storage`. */
export const volumeAttachments = builtIn<VolumeAttachment>({
  group: 'storage',
  resource: 'volumeattachments',
  kind: 'VolumeAttachment',
  versions: {
    v1: { introduced: '1.13' },
    v1beta1: { introduced: '1.10', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  subresources: [{ ...statusSubresource, versions: ['v1'] }],
  columns,
  strategy,
});
