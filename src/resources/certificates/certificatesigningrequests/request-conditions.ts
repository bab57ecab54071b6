import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../../gen/stored/certificates-v1.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden } from '../../../status/field-error.ts';

/**
 * The conditions that decide a request, in the order in which they are checked. Each is true or
 * absent.
 */
const decisions = ['Approved', 'Denied', 'Failed'];

function ofType({ status }: CertificateSigningRequest, type: string): readonly CertificateSigningRequestCondition[] {
  return (status.conditions ?? []).filter((condition) => condition.type === type);
}

/**
 * All errors of the list of conditions (spec section 7). v1beta1 accepts conditions without a type
 * and several of one type, and all versions do so where the old request has such conditions.
 */
export function checkConditions(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  version: string,
): readonly FieldError[] {
  const types = (old.status.conditions ?? []).map(({ type }) => type);
  const mayLackType = version === 'v1beta1' || types.includes('');
  const mayRepeat = version === 'v1beta1' || new Set(types).size < types.length;
  const mayContradict = types.includes('Approved') && types.includes('Denied');
  const seen = new Set<string>();
  const cursor = new FieldCursor(request);
  for (const condition of cursor.at('status').each('conditions')) {
    const type = condition.at('type');
    if (!mayLackType) type.mustBeSet();
    checkStatus(condition);
    if (!mayContradict && contradicts(type.value, seen)) {
      type.reportInvalid('Approved and Denied conditions are mutually exclusive');
    }
    if (seen.has(type.value) && !mayRepeat) type.reportDuplicate();
    seen.add(type.value);
  }
  return cursor.errors;
}

function checkStatus(condition: FieldCursor<CertificateSigningRequestCondition>): void {
  const status = condition.at('status');
  status.mustBeSet();
  status.mustBeOneOf(decisions.includes(condition.value.type) ? ['True'] : ['False', 'True', 'Unknown']);
}

function contradicts(type: string, seen: ReadonlySet<string>): boolean {
  return (type === 'Approved' && seen.has('Denied')) || (type === 'Denied' && seen.has('Approved'));
}

/**
 * Checks that decisions are kept: no update removes one, and only `approval` may approve or deny.
 */
export function checkDecisionsKept(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  mayDecide: boolean,
): FieldError[] {
  return decisions.flatMap((type) => {
    const change = ofType(request, type).length - ofType(old, type).length;
    if (change < 0) return [forbidden('status.conditions', `updates may not remove a condition of type "${type}"`)];
    return change > 0 && !mayDecide && type !== 'Failed'
      ? [forbidden('status.conditions', `updates may not add a condition of type "${type}"`)]
      : [];
  });
}

/** Restores the conditions Approved and Denied, unless their number changes. Mutates `request`. */
export function keepDecisions(request: CertificateSigningRequest, old: CertificateSigningRequest): void {
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
export function stampConditions(request: CertificateSigningRequest, old: CertificateSigningRequest, now: string): void {
  for (const condition of request.status.conditions ?? []) {
    condition.lastUpdateTime ??= now;
    const earlier = ofType(old, condition.type).find(({ status }) => status === condition.status);
    condition.lastTransitionTime ??= earlier?.lastTransitionTime ?? now;
  }
}
