import type { MetricFamily } from '../../metrics/metric-family.ts';
import { counterVector } from '../../metrics/metric-vector.ts';
import type { Availability } from './availability-condition.ts';

/** The metrics of remote APIServices, with the names of kube-apiserver. */
export function aggregationMetrics() {
  const problems = counterVector(
    {
      name: 'aggregator_unavailable_apiservice_total',
      help: 'Counter of APIServices which are marked as unavailable broken down by APIService name and reason.',
    },
    ['name', 'reason'],
  );
  const results = new Map<string, Availability>();
  const gauge: MetricFamily = {
    name: 'aggregator_unavailable_apiservice',
    help: 'Gauge of APIServices which are marked as unavailable broken down by APIService name.',
    type: 'gauge',
    merge: 'largest',
    labelNames: ['name'],
    samples: () => [...results].map(([name, { status }]) => ({ labels: { name }, value: status === 'True' ? 0 : 1 })),
  };
  return {
    families: [problems, gauge] as readonly MetricFamily[],
    /** Takes the result of a check. A server that becomes unavailable is counted. */
    record(name: string, result: Availability): void {
      if (result.status !== 'True' && results.get(name)?.reason !== result.reason)
        problems.with(name, result.reason).add();
      results.set(name, result);
    },
    /** Forgets an APIService that is gone, or that this server serves. */
    forget(name: string): void {
      results.delete(name);
    },
  };
}
