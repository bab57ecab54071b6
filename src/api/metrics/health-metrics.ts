import type { Identifiers } from '../../identifiers/identifiers.ts';
import { counterVector, gaugeVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';

/** The metrics of health checks, for the service level indicators of `/metrics/slis`. */
export interface HealthMetrics {
  /** Returns the function that records the results of a check of a health path. */
  of(path: string, check: string): (succeeded: boolean) => void;
}

/** Creates the metrics of health checks and registers their families. */
export function createHealthMetrics(registry: MetricsRegistry, { product }: Identifiers): HealthMetrics {
  const present = gaugeVector(
    {
      name: `${product}_healthcheck`,
      help: 'This metric records the result of a single healthcheck.',
      stability: 'STABLE',
      merge: 'largest',
    },
    ['name', 'type'],
  );
  const total = counterVector(
    {
      name: `${product}_healthchecks_total`,
      help: 'This metric records the results of all healthcheck.',
      stability: 'STABLE',
    },
    ['name', 'status', 'type'],
  );
  registry.register(present, total);
  return {
    of: (path, check) => (succeeded) => {
      present.with(check, path).value = succeeded ? 1 : 0;
      total.with(check, succeeded ? 'success' : 'error', path).add();
    },
  };
}
