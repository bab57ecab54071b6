import type { JsonObject } from '../meta/json-value.ts';
import { numberAt, sameValue, stringAt } from '../meta/read-field.ts';
import type { AdmissionAttributes } from './admission.ts';
import { forbidden } from './forbidden.ts';

/**
 * Reports whether a toleration covers another: it tolerates the same taints at least, for as long
 * at least.
 */
export function covers(wide: JsonObject, narrow: JsonObject): boolean {
  // Equal ones have equal keys, and most of a long list have others, which is cheap to see.
  if (!coversKey(wide, narrow)) return false;
  return (coversTime(wide, narrow) && coversValue(wide, narrow)) || sameValue(wide, narrow);
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

/** Maximum of tolerations that are merged for a Pod, which takes quadratic time. */
const tolerationLimit = 1000;

/** Refuses a Pod with more tolerations than can be merged in time: its own and those added. */
export function refuseTooMany(
  attributes: Pick<AdmissionAttributes, 'resource' | 'name' | 'object'>,
  count: number,
): void {
  if (count <= tolerationLimit) return;
  throw forbidden(attributes, `pod has ${count} tolerations, at most ${tolerationLimit} can be checked`);
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
      all.some((later, at) => at > index && covers(later, toleration) && !sameValue(later, toleration));
    if (!isCovered) merged.push(toleration);
  }
  return merged;
}
