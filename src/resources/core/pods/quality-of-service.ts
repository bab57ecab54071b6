import type { PodSpec, ResourceRequirements } from '../../../gen/stored/core-v1.ts';
import { amountAt } from '../../../kinds/core/amounts.ts';
import { hasWholeAmounts } from '../../../kinds/core/pod-amounts.ts';
import { containersOf } from './default.ts';

/**
 * The quality-of-service class. Guaranteed: every container has limits for all compute resources,
 * equal to its requests. BestEffort: no container has requests or limits. Burstable: all others.
 * Pod-level resources replace the resources of containers.
 */
export function qualityOfService(spec: PodSpec): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const owners: readonly ResourceRequirements[] =
    spec.resources && hasWholeAmounts(spec) ? [spec.resources] : containersOf(spec).map(({ resources }) => resources);
  const amounts = owners.flatMap(({ requests, limits }) =>
    ['cpu', 'memory'].map((name) => ({
      request: amountAt(requests, name)?.nanos ?? 0n,
      limit: amountAt(limits, name)?.nanos ?? 0n,
    })),
  );
  if (amounts.every(({ request, limit }) => request === 0n && limit === 0n)) return 'BestEffort';
  return amounts.every(({ request, limit }) => limit > 0n && request === limit) ? 'Guaranteed' : 'Burstable';
}
