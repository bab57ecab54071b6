import { errorsOfEach } from '../../../status/all-errors.ts';
import path from 'node:path';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { checkAccessModes } from '../../rules/fields/access-modes.ts';
import { checkString } from '../../rules/fields/check.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkOfferedStorage } from '../../rules/fields/resource-amounts.ts';
import { checkNodeSelector } from '../pods/scheduling.ts';
import { shownSource } from '../pods/volume-source.ts';
import { persistentSourceRules, persistentSources } from './source.ts';

/** All errors of a persistent volume. */
export function validateVolume(volume: JsonObject, { identifiers }: StrategyContext): readonly FieldError[] {
  const spec = objectAt(volume, 'spec');
  const iscsi = objectAt(spec, 'iscsi');
  const name = stringAt(objectAt(volume, 'metadata'), 'name');
  const tooLong = isSet(iscsi, 'initiatorName') && `${name}:${stringAt(iscsi, 'targetPortal')}`.length > sessionLimit;
  return [
    ...validateVolumeSpec(spec, 'spec'),
    ...(tooLong ? [invalid('metadata.name', name, sessionMessage)] : []),
    ...mountErrors(volume, spec, `volume.beta.${identifiers.labelDomain}/mount-options`),
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
];

/** Checks that the volume supports mount options if the older annotation for them is set. */
function mountErrors(volume: JsonObject, spec: JsonObject, annotation: string): readonly FieldError[] {
  const isGiven = isSet(objectAt(volume, 'metadata', 'annotations'), annotation);
  return isGiven && !mountable.some((name) => isSet(spec, name))
    ? [forbidden(`metadata.annotations.${annotation}`, 'may not specify mount options for this volume type')]
    : [];
}

/** Maximum length of the name of an iSCSI session, which consists of volume name and portal. */
const sessionLimit = 64;
const sessionMessage =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

/** All errors of the spec of a persistent volume. */
function validateVolumeSpec(spec: JsonObject, at: string): readonly FieldError[] {
  const className = stringAt(spec, 'storageClassName');
  const modes = stringsAt(spec, 'accessModes');
  return [
    ...(modes.length === 0 ? [required(`${at}.accessModes`)] : []),
    ...checkAccessModes(`${at}.accessModes`, modes),
    ...capacityErrors(objectAt(spec, 'capacity'), `${at}.capacity`),
    ...affinityErrors(spec, `${at}.nodeAffinity`),
    ...sourceErrors(spec, at),
    ...recycleErrors(spec, at),
    ...(className === '' ? [] : checkString(`${at}.storageClassName`, className, validateDnsSubdomain)),
  ];
}

/**
 * All errors of the spec of a volume in a VolumeAttachment. Fields for claims and for scheduling
 * are forbidden in it.
 */
export function validateInlineVolumeSpec(spec: JsonObject, at: string): readonly FieldError[] {
  const modes = stringsAt(spec, 'accessModes');
  const policy = stringAt(spec, 'persistentVolumeReclaimPolicy');
  return [
    ...forbiddenInline(spec, at, ['claimRef', 'capacity']),
    ...(isSet(spec, 'csi') ? [] : [required(`${at}.csi`, `has to be specified ${inline}`)]),
    ...(modes.length === 0 ? [required(`${at}.accessModes`)] : []),
    ...checkAccessModes(`${at}.accessModes`, modes),
    ...(policy === '' || policy === 'Retain'
      ? []
      : [forbidden(`${at}.persistentVolumeReclaimPolicy`, `may only be Retain ${inline}`)]),
    ...forbiddenInline(spec, at, ['nodeAffinity']),
    ...sourceErrors(spec, at),
    ...(stringAt(spec, 'storageClassName') === '' ? [] : forbiddenInline(spec, at, ['storageClassName'])),
    ...(isSet(spec, 'volumeMode') && stringAt(spec, 'volumeMode') !== 'Filesystem'
      ? [forbidden(`${at}.volumeMode`, `may not specify volumeMode other than Filesystem ${inline}`)]
      : []),
  ];
}

const inline = 'in the context of inline volumes';

function forbiddenInline(spec: JsonObject, at: string, names: readonly string[]): readonly FieldError[] {
  return names
    .filter((name) => isSet(spec, name))
    .map((name) => forbidden(`${at}.${name}`, `may not be specified ${inline}`));
}

/** The fields of the spec that are not sources. Every other field is a source. */
const plainFields: ReadonlySet<string> = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

function sourceOf(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => !plainFields.has(name)));
}

/** Checks the capacity: storage and no other resource. */
function capacityErrors(capacity: JsonObject, at: string): readonly FieldError[] {
  const names = Object.keys(capacity);
  return [
    ...(names.length === 0 ? [required(at)] : []),
    ...(names.length === 1 && isSet(capacity, 'storage') ? [] : [notSupported(at, capacity, ['storage'])]),
    ...errorsOfEach(names, (name) => checkOfferedStorage(`${at}[${name}]`, stringAt(capacity, name))),
  ];
}

function affinityErrors(spec: JsonObject, at: string): readonly FieldError[] {
  if (!isSet(spec, 'nodeAffinity')) return [];
  const affinity = objectAt(spec, 'nodeAffinity');
  return isSet(affinity, 'required')
    ? checkNodeSelector(`${at}.required`, objectAt(affinity, 'required'))
    : [required(`${at}.required`, 'must specify required node constraints')];
}

/**
 * Checks that a volume has one source. Further ones are refused without a check of their fields,
 * except `flexVolume`, which kube-apiserver accepts beside another source.
 */
function sourceErrors(spec: JsonObject, at: string): readonly FieldError[] {
  const given = persistentSources.filter((name) => isSet(spec, name));
  if (given.length === 0) return [required(at, 'must specify a volume type')];
  return given.flatMap((name, index) =>
    index === 0 || name === 'flexVolume' ? oneSourceErrors(spec, name, at) : [secondSource(name, at)],
  );
}

/** The errors of one source. A local volume must also have a node affinity. */
function oneSourceErrors(spec: JsonObject, name: string, at: string): readonly FieldError[] {
  const nowhere = name === 'local' && !isSet(objectAt(spec, 'nodeAffinity'), 'required');
  return [
    ...(persistentSourceRules[name]?.(objectAt(spec, name), `${at}.${shownSource(name)}`) ?? []),
    ...(nowhere ? [required(`${at}.nodeAffinity`, 'Local volume requires node affinity')] : []),
  ];
}

function secondSource(name: string, at: string): FieldError {
  const shown = name === 'cephfs' ? 'cephFS' : name;
  return forbidden(`${at}.${shown}`, 'may not specify more than 1 volume type');
}

/** Refuses the reclaim policy Recycle for the root of a node's file system. */
function recycleErrors(spec: JsonObject, at: string): readonly FieldError[] {
  const root = path.posix.normalize(stringAt(objectAt(spec, 'hostPath'), 'path') || '.') === '/';
  return root && stringAt(spec, 'persistentVolumeReclaimPolicy') === 'Recycle'
    ? [forbidden(`${at}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'")]
    : [];
}

const sameSpec = sameMessage('api.core.v1.PersistentVolumeSpec');
const sameAffinity = sameMessage('api.core.v1.VolumeNodeAffinity');

/**
 * The errors of an update. The source and the volume mode are immutable, and so is a node affinity
 * once it is set.
 */
export function validateVolumeUpdate(volume: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, oldSpec] = [objectAt(volume, 'spec'), objectAt(old, 'spec')];
  return [
    ...(sameSpec(sourceOf(spec), sourceOf(oldSpec))
      ? []
      : [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]),
    ...checkImmutable('volumeMode', getOwn(spec, 'volumeMode'), getOwn(oldSpec, 'volumeMode')),
    ...(isSet(oldSpec, 'nodeAffinity')
      ? checkImmutable('nodeAffinity', getOwn(spec, 'nodeAffinity'), getOwn(oldSpec, 'nodeAffinity'), sameAffinity)
      : []),
  ];
}
