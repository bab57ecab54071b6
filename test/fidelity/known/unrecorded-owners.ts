import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Difference } from '../compare.ts';
import { textAt, valueAt } from '../json-paths.ts';
import { bodyPlace, type Exchange, isStatus, ownedField } from './known-difference.ts';

/** The manager of all that is there when an object without managers is applied for the first time. */
const firstManager = 'before-first-apply';

/**
 * Whether a difference of owners follows from an object that had no managers in kube-apiserver alone: it records none
 * until the first apply, which gives all that is there to one manager, with whom others conflict.
 */
export function isUnrecorded(difference: Difference, { step, reference, ours, normalReference }: Exchange): boolean {
  const { path } = difference;
  if (ownedField(difference) !== undefined) {
    return isWithoutRecord(valueAt(normalReference, path.slice(0, path.indexOf('managedFields') + 1)));
  }
  if (bodyPlace(difference).endsWith('metadata/managedFields')) return difference.reference === undefined;
  if (step.type?.includes('apply') !== true || reference.status !== 409) return false;
  // A conflict is found before the object is validated.
  const isConflict = isStatus(difference)
    ? ours.status < 300 || ours.status === 422
    : bodyPlace(difference).endsWith(' FieldManagerConflict');
  return isConflict && textAt(reference.body, ['message']).includes(`"${firstManager}"`);
}

/** Whether owners are missing because the object has no managers here, so that its writers are not recorded. */
export function isUnrecordedHere(difference: Difference, { normalOurs }: Exchange): boolean {
  const { path, ours } = difference;
  if (ours !== undefined) return false;
  if (bodyPlace(difference).endsWith('metadata/managedFields')) return true;
  return (
    ownedField(difference) !== undefined &&
    isWithoutRecord(valueAt(normalOurs, path.slice(0, path.indexOf('managedFields') + 1)))
  );
}

function isWithoutRecord(managers: JsonValue | undefined): boolean {
  if (!isJsonObject(managers)) return true;
  const names = Object.keys(managers);
  return names.length === 0 || names.some((name) => name.includes(`"${firstManager}"`));
}
