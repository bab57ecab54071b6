import type { JsonObject } from '../../../meta/json-value.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type Amounts, filterAmounts } from '../../../kinds/core/amounts.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

/** A write that may use quotas. */
export interface QuotaRequest {
  readonly attributes: AdmissionAttributes;
  readonly object: JsonObject;
  readonly evaluator: QuotaEvaluator;
  /** The amounts that the object uses. */
  readonly usage: Amounts;
  /** The part of them, without zeros, that the write adds. */
  readonly added: Amounts;
}

/**
 * Measures a write. An update adds the difference; it gives nothing back, as in kube-apiserver: a
 * controller counts the objects that there are.
 */
export function quotaRequest(
  attributes: AdmissionAttributes,
  object: JsonObject,
  evaluator: QuotaEvaluator,
): QuotaRequest {
  const usage = evaluator.usageOf(object);
  const { oldObject } = attributes;
  const before = oldObject && evaluator.usageOf(oldObject);
  if (!before && !hasZero(usage)) return { attributes, object, evaluator, usage, added: usage };
  const difference: Amounts = before
    ? new Map(
        [...usage].map(([name, { nanos, format }]) => [
          name,
          { nanos: nanos - (before.get(name)?.nanos ?? 0n), format },
        ]),
      )
    : usage;
  return { attributes, object, evaluator, usage, added: filterAmounts(difference, (_, { nanos }) => nanos > 0n) };
}

function hasZero(amounts: Amounts): boolean {
  for (const { nanos } of amounts.values()) if (nanos <= 0n) return true;
  return false;
}
