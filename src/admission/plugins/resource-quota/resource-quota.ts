import type { MaybePromise } from '../../../async/maybe-promise.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { ListerOf } from '../../../meta/lister.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../admission.ts';
import { matches } from './charged-by.ts';
import { evaluators } from './evaluators.ts';
import { type QuotaLimits, readQuota } from './quota-limits.ts';
import { limitedResourcesOf } from './limited-resources.ts';
import { planCharges } from './plan-charges.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { quotaLedger, type WriteQuotaStatus } from './quota-ledger.ts';
import { type QuotaRequest, quotaRequest } from './quota-request.ts';

/**
 * Refuses writes that exceed a quota of their namespace, and counts the others in the status of
 * the quotas (spec 4.10). The count is never too low, whatever number of servers write; it is too
 * high after a write that failed later and after deletes, until a controller counts again. Throws
 * `RangeError` if the configuration is invalid.
 */
export function resourceQuota(
  identifiers: Identifiers,
  listerOf: ListerOf,
  write: WriteQuotaStatus,
  configuration: JsonObject | undefined,
): AdmissionPlugin {
  const limited = limitedResourcesOf(configuration, identifiers);
  const evaluatorOf = evaluators(identifiers);
  const quotas = listerOf({ group: '', resource: 'resourcequotas', read: readQuota });
  const charge = quotaLedger({
    list: (namespace, latest, signal) => quotas.list({ namespace, latest }, signal),
    write,
    limited,
  });
  const admit = (
    attributes: AdmissionAttributes,
    evaluator: QuotaEvaluator,
    found: readonly QuotaLimits[],
  ): MaybePromise<void> => {
    const { object } = attributes;
    if (!object || (found.length === 0 && limited.length === 0)) return undefined;
    const request = quotaRequest(attributes, object, evaluator);
    if (limited.length === 0 && !found.some((quota) => matches(request, quota))) return undefined;
    return request.added.size === 0 && isAllowed(request, found) ? undefined : charge(request);
  };
  /** The quotas may be stale, so that only the ledger, which reads them again, refuses. */
  const isAllowed = (request: QuotaRequest, found: readonly QuotaLimits[]): boolean => {
    const states = found.map((quota) => ({ quota, used: quota.used }));
    return planCharges(states, [request], limited).refusals.size === 0;
  };
  return {
    name: 'ResourceQuota',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      const { operation, namespace, subresource, resource, signal } = attributes;
      if (namespace === '') return undefined;
      const evaluator = evaluatorOf(resource.group, resource.resource);
      const isResize = operation === 'UPDATE' && subresource !== '' && subresource === evaluator?.resizedBy;
      const isCharged = subresource === '' && evaluator?.operations.includes(operation);
      if (!evaluator || !(isResize || isCharged)) return undefined;
      const found = quotas.list({ namespace }, signal);
      return found instanceof Promise
        ? found.then((list) => admit(attributes, evaluator, list))
        : admit(attributes, evaluator, found);
    },
  };
}
