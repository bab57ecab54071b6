import { memoize } from '../../meta/memoize.ts';
import { counterVector, histogramVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';
import type { Operation } from '../admission.ts';

/** The owner of evaluated match conditions. */
interface ConditionsOwner {
  readonly name: string;
  readonly kind: 'policy' | 'webhook';
  readonly type: 'admit' | 'validate';
  readonly operation: Operation;
}

/** Counts evaluations of match conditions. */
export interface ConditionMetrics {
  evaluated(owner: ConditionsOwner, seconds: number, failures: number): void;
  excluded(owner: ConditionsOwner): void;
}

const bounds = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** The metric families of match conditions, registered once. */
export const conditionMetricsOf = memoize(conditionMetrics);

function conditionMetrics(metrics: MetricsRegistry): ConditionMetrics {
  const labels = ['name', 'kind', 'type', 'operation'];
  const errors = counterVector(
    {
      name: 'apiserver_admission_match_condition_evaluation_errors_total',
      help: 'Admission match condition evaluation errors count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
    },
    labels,
  );
  const exclusions = counterVector(
    {
      name: 'apiserver_admission_match_condition_exclusions_total',
      help: 'Admission match condition evaluation exclusions count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
    },
    labels,
  );
  const durations = histogramVector(
    {
      name: 'apiserver_admission_match_condition_evaluation_seconds',
      help: 'Admission match condition evaluation time in seconds, identified by name and broken out for each kind containing matchConditions (webhook or policy), operation and type (validate or admit).',
    },
    labels,
    bounds,
  );
  metrics.register(errors, exclusions, durations);
  return {
    evaluated({ name, kind, type, operation }, seconds, failures) {
      durations.with(name, kind, type, operation).observe(seconds);
      if (failures > 0) errors.with(name, kind, type, operation).add(failures);
    },
    excluded: ({ name, kind, type, operation }) => exclusions.with(name, kind, type, operation).add(),
  };
}
