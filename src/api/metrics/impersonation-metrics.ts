import { counterVector, histogramVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';

/** The metrics of constrained impersonation. */
interface ImpersonationMetrics {
  /** Records an attempt to impersonate a user; the mode is '' if none allowed it. */
  attempted(mode: string, isAllowed: boolean, startMs: number): void;
  /** Records a decision of the authorizers. */
  authorized(mode: string, isAllowed: boolean, startMs: number): void;
}

/** The bounds of the histograms, from 1 ms to 16 s. */
const buckets: readonly number[] = Array.from({ length: 15 }, (_, index) => 0.001 * 2 ** index);

/** Creates the metrics of constrained impersonation and registers their families. */
export function createImpersonationMetrics(registry: MetricsRegistry): ImpersonationMetrics {
  const record = (name: string, what: string) => {
    const labels = ['mode', 'decision'] as const;
    const total = counterVector(
      {
        name: `apiserver_impersonation_${name}_total`,
        help: `Total number of ${what} split by mode and decision.`,
      },
      labels,
    );
    const seconds = histogramVector(
      {
        name: `apiserver_impersonation_${name}_duration_seconds`,
        help: `Latency of ${what} in seconds split by mode and decision.`,
      },
      labels,
      buckets,
    );
    registry.register(total, seconds);
    return (mode: string, isAllowed: boolean, startMs: number): void => {
      const decision = isAllowed ? 'allowed' : 'denied';
      total.with(mode, decision).add();
      seconds.with(mode, decision).observe((performance.now() - startMs) / 1000);
    };
  };
  return {
    attempted: record('attempts', 'impersonation attempts'),
    authorized: record('authorization_attempts', 'authorization checks made by the impersonation handler'),
  };
}
