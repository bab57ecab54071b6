import type { JsonObject } from '../meta/json-value.ts';
import { numberAt, sameValue, stringAt } from '../meta/read-field.ts';
import type { AdmissionAttributes } from './admission.ts';
import { forbidden } from './forbidden.ts';

/**
 * Reports whether a toleration covers another: it tolerates the same taints at least, for as long
 * at least.
 */
export function covers(wide: JsonObject, narrow: JsonObject): boolean {
  return sameValue(wide, narrow) || (coversKey(wide, narrow) && coversTime(wide, narrow) && coversValue(wide, narrow));
}

/** An empty key with `Exists` covers all keys, an empty effect all effects. */
function coversKey(wide: JsonObject, narrow: JsonObject): boolean {
  const key = stringAt(wide, 'key');
  const effect = stringAt(wide, 'effect');
  const isAnyKey = key === '' && stringAt(wide, 'operator') === 'Exists';
  return (isAnyKey || key === stringAt(narrow, 'key')) && ['', stringAt(narrow, 'effect')].includes(effect);
}

/** Seconds count for `NoExecute` alone. A toleration without them lasts for ever. */
function coversTime(wide: JsonObject, narrow: JsonObject): boolean {
  const seconds = numberAt(wide, 'tolerationSeconds');
  if (seconds === undefined || stringAt(wide, 'effect') !== 'NoExecute') return true;
  return (numberAt(narrow, 'tolerationSeconds') ?? Number.POSITIVE_INFINITY) <= seconds;
}

/** As in kube-apiserver, `Equal` does not cover a toleration without operator. */
function coversValue(wide: JsonObject, narrow: JsonObject): boolean {
  if (stringAt(wide, 'operator') === 'Exists') return true;
  return stringAt(narrow, 'operator') === 'Equal' && stringAt(wide, 'value') === stringAt(narrow, 'value');
}

/** Maximum of tolerations of a Pod that are merged, which takes quadratic time. */
const tolerationLimit = 1000;

/** Refuses a Pod with more tolerations than can be merged in time. */
export function refuseTooMany(attributes: AdmissionAttributes, tolerations: readonly JsonObject[]): void {
  const { length } = tolerations;
  if (length <= tolerationLimit) return;
  throw forbidden(attributes, `pod has ${length} tolerations, at most ${tolerationLimit} can be checked`);
}

/**
 * Joins two lists without the tolerations that others cover. Takes quadratic time. Does not copy.
 */
export function mergeTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): readonly JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  for (const [index, toleration] of all.entries()) {
    const isCovered =
      merged.some((kept) => covers(kept, toleration)) ||
      all.slice(index + 1).some((later) => !sameValue(later, toleration) && covers(later, toleration));
    if (!isCovered) merged.push(toleration);
  }
  return merged;
}
