import { errorsOfEach } from '../../../status/all-errors.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { type FieldError, duplicate, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { isSet, objectAt, objectsAt, sameValue, stringAt } from '../../../meta/read-field.ts';

/**
 * The conditions that decide a request, in the order in which they are checked. Each is true or
 * absent.
 */
const decisions = ['Approved', 'Denied', 'Failed'];
const statuses = ['False', 'True', 'Unknown'];

/** The conditions of a request, oldest first. */
function conditionsOf(request: JsonObject): readonly JsonObject[] {
  return objectsAt(objectAt(request, 'status'), 'conditions');
}

function ofType(request: JsonObject, type: string): readonly JsonObject[] {
  return conditionsOf(request).filter((condition) => stringAt(condition, 'type') === type);
}

/**
 * All errors of the list of conditions (spec section 7). v1beta1 accepts conditions without a type
 * and several of one type, and all versions do so where the old request has such conditions.
 */
export function checkConditions(request: JsonObject, old: JsonObject, version: string): readonly FieldError[] {
  const types = conditionsOf(old).map((condition) => stringAt(condition, 'type'));
  const mayLackType = version === 'v1beta1' || types.includes('');
  const mayRepeat = version === 'v1beta1' || new Set(types).size < types.length;
  const mayContradict = types.includes('Approved') && types.includes('Denied');
  const seen = new Set<string>();
  return errorsOfEach(conditionsOf(request), (condition, index) => {
    const path = `status.conditions[${index}]`;
    const type = stringAt(condition, 'type');
    const errors = [
      ...(type === '' && !mayLackType ? [required(`${path}.type`)] : []),
      ...statusErrors(type, stringAt(condition, 'status'), `${path}.status`),
      ...(!mayContradict && contradicts(type, seen)
        ? [invalid(`${path}.type`, type, 'Approved and Denied conditions are mutually exclusive')]
        : []),
      ...(seen.has(type) && !mayRepeat ? [duplicate(`${path}.type`, type)] : []),
    ];
    seen.add(type);
    return errors;
  });
}

function statusErrors(type: string, status: string, field: string): FieldError[] {
  const allowed = decisions.includes(type) ? ['True'] : statuses;
  if (status === '') return [required(field)];
  return allowed.includes(status) ? [] : [notSupported(field, status, allowed)];
}

function contradicts(type: string, seen: ReadonlySet<string>): boolean {
  return (type === 'Approved' && seen.has('Denied')) || (type === 'Denied' && seen.has('Approved'));
}

/**
 * Checks that decisions are kept: no update removes one, and only `approval` may approve or deny.
 */
export function checkDecisionsKept(request: JsonObject, old: JsonObject, mayDecide: boolean): FieldError[] {
  return decisions.flatMap((type) => {
    const change = ofType(request, type).length - ofType(old, type).length;
    if (change < 0) return [forbidden('status.conditions', `updates may not remove a condition of type "${type}"`)];
    return change > 0 && !mayDecide && type !== 'Failed'
      ? [forbidden('status.conditions', `updates may not add a condition of type "${type}"`)]
      : [];
  });
}

/** Restores the conditions Approved and Denied, unless their number changes. Mutates `request`. */
export function keepDecisions(request: JsonObject, old: JsonObject): void {
  for (const type of ['Approved', 'Denied']) {
    const kept = ofType(old, type);
    const written = ofType(request, type);
    if (kept.length !== written.length) continue;
    written.forEach((condition, index) => Object.assign(condition, structuredClone(kept[index])));
  }
}

/**
 * Fills in missing times of conditions. `lastTransitionTime` is kept while the status stays the
 * same. Mutates `request`.
 */
export function stampConditions(request: JsonObject, old: JsonObject, now: string): void {
  for (const condition of conditionsOf(request)) {
    if (!isSet(condition, 'lastUpdateTime')) condition['lastUpdateTime'] = now;
    if (isSet(condition, 'lastTransitionTime')) continue;
    const earlier = ofType(old, stringAt(condition, 'type')).find((candidate) =>
      sameValue(candidate['status'], condition['status']),
    );
    condition['lastTransitionTime'] = (earlier && stringAt(earlier, 'lastTransitionTime')) || now;
  }
}
