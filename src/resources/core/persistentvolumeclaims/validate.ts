import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../gen/stored/core-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, required } from '../../../status/field-error.ts';
import { checkAccessModes } from '../../rules/fields/access-modes.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';
import { isMoreThan } from '../../rules/fields/check.ts';
import { checkStorage } from '../../rules/fields/resource-amounts.ts';

/** The errors of the spec of a claim or of a claim template that its schema does not report. */
export function checkClaimSpec(claim: PersistentVolumeClaimSpec, path: string): readonly FieldError[] {
  const spec = new FieldCursor(claim, path);
  const { selector, accessModes = [], resources } = claim;
  const { storage } = resources.requests ?? {};
  const storageField = `${path}.resources[storage]`;
  if (selector) spec.report(...checkLabelSelector(`${path}.selector`, selector));
  spec.report(...checkAccessModes(`${path}.accessModes`, accessModes));
  spec.report(...(storage === undefined ? [required(storageField)] : checkStorage(storageField, storage)));
  spec.at('storageClassName').mustBe(validateDnsSubdomain);
  checkSource(spec);
  return spec.errors;
}

/** Checks the data source of a claim. Outside the core group any kind is allowed. */
function checkSource(spec: FieldCursor<PersistentVolumeClaimSpec>): void {
  const source = spec.at('dataSource');
  if (!source.value) return;
  const { apiGroup, kind } = source.value;
  source.at('name').mustBeSet();
  source.at('kind').mustBeSet();
  if (!apiGroup && kind !== 'PersistentVolumeClaim') source.reportInvalid('', kind);
}

/**
 * The errors of an update of a claim. The volume's name may be set once, and a bound claim may
 * request more storage. Nothing else may change.
 */
export function validateClaimUpdate({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const fixed = 'spec is immutable after creation except resources.requests for bound claims';
  const shrinks = isMoreThan(storageOf(old.spec), storageOf(spec));
  return [
    ...(sameSpec(fixedPart(spec, old), fixedPart(old.spec, old)) ? [] : [forbidden('spec', fixed)]),
    ...(shrinks ? [forbidden('spec.resources.requests.storage', 'field can not be less than previous value')] : []),
    ...checkImmutable('volumeMode', spec.volumeMode, old.spec.volumeMode),
  ];
}

const sameSpec = sameMessage('api.core.v1.PersistentVolumeClaimSpec');

function fixedPart({ volumeName, ...spec }: PersistentVolumeClaimSpec, old: PersistentVolumeClaim): JsonObject {
  const { storage = '', ...requests } = spec.resources.requests ?? {};
  const isBound = old.status.phase === 'Bound';
  return {
    ...spec,
    resources: { ...spec.resources, requests: isBound ? requests : { ...requests, storage } },
    ...(old.spec.volumeName && volumeName !== undefined ? { volumeName } : {}),
  };
}

function storageOf({ resources }: PersistentVolumeClaimSpec): string {
  return resources.requests?.['storage'] || '0';
}
