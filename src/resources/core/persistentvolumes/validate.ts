import path from 'node:path';
import type { PersistentVolume, PersistentVolumeSpec } from '../../../gen/stored/core-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { type EmulatedRelease, newestEmulated } from '../../../scheme/emulated-release.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkAccessModes } from '../../rules/fields/access-modes.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkOfferedStorage } from '../../rules/fields/resource-amounts.ts';
import { checkNodeSelector } from '../pods/check-scheduling.ts';
import { checkSource } from '../pods/volumes/source-rules.ts';
import { type PersistentSource, persistentSourceRules, persistentSources } from './source.ts';

/** The errors of a persistent volume that its schema does not report. */
export function validateVolume(
  { metadata, spec }: PersistentVolume,
  context: StrategyContext,
  old?: PersistentVolume,
): readonly FieldError[] {
  const { name = '', annotations = {} } = metadata;
  const mountOptions = `volume.beta.${context.identifiers.labelDomain}/mount-options`;
  const { initiatorName, targetPortal = '' } = spec.iscsi ?? {};
  const isLong = initiatorName !== undefined && `${name}:${targetPortal}`.length > sessionLimit;
  const isMountable = mountable.some((source) => spec[source]);
  return [
    ...validateVolumeSpec(spec, context.emulated, old?.spec),
    ...(isLong ? [invalid('metadata.name', name, sessionMessage)] : []),
    ...(annotations[mountOptions] !== undefined && !isMountable
      ? [forbidden(`metadata.annotations.${mountOptions}`, 'may not specify mount options for this volume type')]
      : []),
  ];
}

/** Sources that support mount options. */
const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;

/** Maximum length of the name of an iSCSI session, which consists of volume name and portal. */
const sessionLimit = 64;
const sessionMessage =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

function validateVolumeSpec(
  volume: PersistentVolumeSpec,
  emulated: EmulatedRelease,
  old?: PersistentVolumeSpec,
): readonly FieldError[] {
  const spec = new FieldCursor(volume, 'spec');
  spec.report(...checkAccessModes('spec.accessModes', volume.accessModes ?? [], emulated, old?.accessModes));
  spec.report(...capacityErrors(volume.capacity ?? {}));
  spec.at('volumeAttributesClassName').mustBe(validateDnsSubdomain);
  checkAffinity(spec);
  checkSources(spec);
  checkRecycling(spec);
  spec.at('storageClassName').mustBe(validateDnsSubdomain);
  return spec.errors;
}

/**
 * The errors of the spec of a volume in a VolumeAttachment that its schema does not report. Fields
 * for claims and for scheduling are forbidden in it.
 */
export function validateInlineVolumeSpec(
  volume: PersistentVolumeSpec,
  at: string,
  emulated: EmulatedRelease,
): readonly FieldError[] {
  const spec = new FieldCursor(volume, at);
  for (const name of ['claimRef', 'capacity', 'nodeAffinity', 'storageClassName'] as const) {
    const field = spec.at(name);
    if (field.isSet) field.reportForbidden(`may not be specified ${inline}`);
  }
  if (!volume.csi) spec.at('csi').reportRequired(`has to be specified ${inline}`);
  spec.report(...checkAccessModes(`${at}.accessModes`, volume.accessModes ?? [], emulated));
  const policy = spec.at('persistentVolumeReclaimPolicy');
  if (policy.isSet && policy.value !== 'Retain') policy.reportForbidden(`may only be Retain ${inline}`);
  checkSources(spec);
  const mode = spec.at('volumeMode');
  if (mode.value !== undefined && mode.value !== 'Filesystem') {
    mode.reportForbidden(`may not specify volumeMode other than Filesystem ${inline}`);
  }
  return spec.errors;
}

const inline = 'in the context of inline volumes';

/** Checks the capacity: storage and no other resource. */
function capacityErrors(capacity: Readonly<Record<string, string>>): readonly FieldError[] {
  const field = 'spec.capacity';
  const names = Object.keys(capacity);
  return [
    ...(names.length === 0 ? [required(field)] : []),
    ...(names.length === 1 && names[0] === 'storage' ? [] : [notSupported(field, capacity, ['storage'])]),
    ...errorsOfEach(Object.entries(capacity), ([name, amount]) => checkOfferedStorage(`${field}[${name}]`, amount)),
  ];
}

function checkAffinity(spec: FieldCursor<PersistentVolumeSpec>): void {
  const affinity = spec.at('nodeAffinity');
  if (!affinity.value) return;
  const selector = affinity.at('required');
  selector.mustBeSet('must specify required node constraints');
  checkNodeSelector(selector);
}

/**
 * Checks that a volume has one source. Further ones are refused without a check of their fields,
 * except `flexVolume`, which kube-apiserver accepts beside another source.
 */
function checkSources(spec: FieldCursor<PersistentVolumeSpec>): void {
  const given = persistentSources.filter((name) => spec.value[name]);
  if (given.length === 0) spec.reportRequired('must specify a volume type');
  for (const [index, name] of given.entries()) {
    if (index === 0 || name === 'flexVolume') checkOneSource(spec, name);
    else {
      const shown = name === 'cephfs' ? 'cephFS' : name;
      spec.report(forbidden(`${spec.path}.${shown}`, 'may not specify more than 1 volume type'));
    }
  }
}

/** Checks one source. A local volume must also have a node affinity. */
function checkOneSource(spec: FieldCursor<PersistentVolumeSpec>, name: PersistentSource): void {
  // The rules of persistent sources do not depend on the release.
  checkSource(persistentSourceRules, spec, name, newestEmulated);
  if (name === 'local' && !spec.value.nodeAffinity?.required) {
    spec.at('nodeAffinity').reportRequired('Local volume requires node affinity');
  }
}

/** Refuses the reclaim policy Recycle for the root of a node's file system. */
function checkRecycling(spec: FieldCursor<PersistentVolumeSpec>): void {
  const policy = spec.at('persistentVolumeReclaimPolicy');
  const root = path.posix.normalize(spec.value.hostPath?.path || '.') === '/';
  if (root && policy.value === 'Recycle') policy.reportForbidden("may not be 'recycle' for a hostPath mount of '/'");
}

const sameSpec = sameMessage('api.core.v1.PersistentVolumeSpec');
const sameAffinity = sameMessage('api.core.v1.VolumeNodeAffinity');

/**
 * The errors of an update. The source and the volume mode are immutable, and so is a node affinity
 * once it is set.
 */
export function validateVolumeUpdate(
  { spec }: PersistentVolume,
  old: PersistentVolume,
  { emulated: { release, isFeatureEnabled } }: StrategyContext,
): readonly FieldError[] {
  const mayMove = isSince(release, '1.35') && isFeatureEnabled('MutablePVNodeAffinity');
  const before = old.spec;
  return [
    ...(sameSpec(sourceOf(spec), sourceOf(before))
      ? []
      : [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]),
    ...checkImmutable('volumeMode', spec.volumeMode, before.volumeMode),
    ...(before.nodeAffinity && !mayMove
      ? checkImmutable('nodeAffinity', spec.nodeAffinity, before.nodeAffinity, sameAffinity)
      : []),
  ];
}

function sourceOf(spec: PersistentVolumeSpec): JsonObject {
  return Object.fromEntries(persistentSources.flatMap((name) => (spec[name] ? [[name, spec[name]]] : [])));
}
