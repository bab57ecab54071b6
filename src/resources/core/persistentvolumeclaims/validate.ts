import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../gen/stored/core-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { validateDnsLabel, validateDnsSubdomain, validateQualifiedName } from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { errorsOfEach } from '../../../status/all-errors.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, notSupported, required } from '../../../status/field-error.ts';
import { checkAccessModes } from '../../rules/fields/access-modes.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';
import { checkString, isMoreThan } from '../../rules/fields/field-checks.ts';
import { checkOffer, checkStorage, isNative } from '../../rules/fields/resource-amounts.ts';
import { matchSources } from './match-sources.ts';

/** The errors of the spec of a claim or of a claim template that its schema does not report. */
export function checkClaimSpec(
  claim: PersistentVolumeClaimSpec,
  path: string,
  emulated: EmulatedRelease,
  old?: PersistentVolumeClaimSpec,
): readonly FieldError[] {
  const spec = new FieldCursor(claim, path);
  const { selector, accessModes = [], resources } = claim;
  const { storage } = resources.requests ?? {};
  const storageField = `${path}.resources[storage]`;
  if (selector) spec.report(...checkLabelSelector(`${path}.selector`, selector));
  spec.report(...checkAccessModes(`${path}.accessModes`, accessModes, emulated, old?.accessModes));
  spec.report(...(storage === undefined ? [required(storageField)] : checkStorage(storageField, storage)));
  for (const name of ['storageClassName', 'volumeAttributesClassName'] as const) {
    spec.at(name).mustBe(validateDnsSubdomain);
  }
  checkSources(spec);
  return spec.errors;
}

/** Checks the data sources of a claim. Sources outside the core group may be of any kind. */
function checkSources(spec: FieldCursor<PersistentVolumeClaimSpec>): void {
  for (const name of ['dataSource', 'dataSourceRef'] as const) {
    const source = spec.at(name);
    if (!source.isPresent()) continue;
    const { apiGroup, kind } = source.value;
    source.at('name').mustBeSet();
    source.at('kind').mustBeSet();
    if (!apiGroup && kind !== 'PersistentVolumeClaim') source.reportInvalid('', kind);
  }
  const namespace = spec.at('dataSourceRef').at('namespace');
  namespace.mustBe(validateDnsLabel);
  const { dataSource, dataSourceRef } = spec.value;
  if (!dataSource || !dataSourceRef) return;
  // kube-apiserver shows the path of the field in place of its value.
  const shown = `${spec.path}.dataSource`;
  if (namespace.isSet) spec.reportInvalid('may not be specified when dataSourceRef.namespace is specified', shown);
  else if (!sameSource(dataSource, dataSourceRef)) spec.reportInvalid('must match dataSourceRef', shown);
}

type Source = NonNullable<PersistentVolumeClaimSpec['dataSource' | 'dataSourceRef']>;

function sameSource(one: Source, other: Source): boolean {
  const isSameGroup = (one.apiGroup ?? undefined) === (other.apiGroup ?? undefined);
  return isSameGroup && one.kind === other.kind && one.name === other.name;
}

/**
 * The errors of an update of a claim. The volume's name may be set once, and a bound claim may
 * request more storage or another attributes class. Nothing else may change.
 */
export function validateClaimUpdate(
  { spec }: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { emulated }: StrategyContext,
): FieldError[] {
  const hasClasses = isSince(emulated.release, '1.29');
  const bound = hasClasses ? 'resources.requests and volumeAttributesClassName' : 'resources.requests';
  const before = { ...old.spec };
  // Claims stored by older releases have only one of the two fields.
  matchSources(before, emulated);
  return [
    ...(sameSpec(fixedPart(spec, old), fixedPart(before, old))
      ? []
      : [forbidden('spec', `spec is immutable after creation except ${bound} for bound claims`)]),
    ...shrinkErrors(spec, old, emulated),
    ...checkImmutable('volumeMode', spec.volumeMode, old.spec.volumeMode),
    ...attributeErrors(spec.volumeAttributesClassName, old.spec.volumeAttributesClassName),
  ];
}

/** The errors of a reduced size. A failed expansion may be reduced to no less than the capacity. */
function shrinkErrors(
  spec: PersistentVolumeClaimSpec,
  { spec: before, status }: PersistentVolumeClaim,
  { release, isFeatureEnabled }: EmulatedRelease,
): FieldError[] {
  const [size, oldSize] = [storageOf(spec), storageOf(before)];
  if (!isMoreThan(oldSize, size)) return [];
  const field = 'spec.resources.requests.storage';
  if (!isSince(release, '1.27') || !isFeatureEnabled('RecoverVolumeExpansionFailure')) {
    return [forbidden(field, 'field can not be less than previous value')];
  }
  return isMoreThan(size, status.capacity?.['storage'] || '0')
    ? []
    : [forbidden(field, 'field can not be less than status.capacity')];
}

function attributeErrors(name: string | undefined, old: string | undefined): FieldError[] {
  if (old === undefined || name === old) return [];
  const field = 'spec.volumeAttributesClassName';
  if (name === undefined) return [forbidden(field, 'update from non-nil value to nil is forbidden')];
  return name === '' ? [forbidden(field, 'update from non-nil value to an empty string is forbidden')] : [];
}

const sameSpec = sameMessage('api.core.v1.PersistentVolumeClaimSpec');

function fixedPart(
  { volumeName, volumeAttributesClassName, ...spec }: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaim,
): JsonObject {
  const { storage = '', ...requests } = spec.resources.requests ?? {};
  const isBound = old.status.phase === 'Bound';
  return {
    ...spec,
    resources: { ...spec.resources, requests: isBound ? requests : { ...requests, storage } },
    ...(old.spec.volumeName && volumeName !== undefined ? { volumeName } : {}),
    ...(isBound || volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
  };
}

function storageOf({ resources }: PersistentVolumeClaimSpec): string {
  return resources.requests?.['storage'] || '0';
}

const resizeStates = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** The errors of the status of a claim: amounts, and the states of resizes. */
export function validateClaimStatus({ status }: PersistentVolumeClaim): readonly FieldError[] {
  const { capacity = {}, allocatedResources = {}, allocatedResourceStatuses = {} } = status;
  const [states, allocated] = ['status.allocatedResourceStatus', 'status.allocatedResources'];
  return [
    ...errorsOfEach(Object.entries(capacity), ([name, amount]) => checkOffer(`status.capacity[${name}]`, amount)),
    ...errorsOfEach(Object.entries(allocatedResourceStatuses), ([name, state]) => [
      ...nameErrors(states, name),
      // kube-apiserver shows the name in place of the state.
      ...(resizeStates.includes(state) ? [] : [notSupported(states, name, resizeStates)]),
    ]),
    ...errorsOfEach(Object.entries(allocatedResources), ([name, amount]) => {
      const errors = nameErrors(allocated, name);
      return errors.length > 0 ? errors : checkOffer(`${allocated}[${name}]`, amount);
    }),
  ];
}

/** The errors of a resource name. Without a custom domain only `storage` is valid. */
function nameErrors(field: string, name: string): readonly FieldError[] {
  const errors = checkString(field, name, validateQualifiedName);
  if (errors.length > 0 || name === 'storage' || !isNative(name)) return errors;
  return [notSupported(field, name, ['storage'])];
}
