import type { MetricSpec, MetricStatus } from '../../gen/types/autoscaling-v2.ts';
import { type EvaluatedMetric, evaluateMetric, type MetricContext, MetricError } from './evaluate-metric.ts';

/** The number of pods that the metrics ask for, or why they do not say. */
export interface MetricsRecommendation {
  /** The recommended number; undefined if too little is known to scale. */
  readonly replicas: number | undefined;
  /** The metric that asks for the most pods. */
  readonly name: string;
  /** The statuses of the metrics that are known. */
  readonly statuses: readonly MetricStatus[];
  readonly errors: readonly MetricError[];
}

/**
 * Evaluates all metrics; the one that asks for the most pods counts. While one is unknown the
 * others can only ask for more pods, because it might need those that are there.
 */
export async function recommendReplicas(
  specs: readonly MetricSpec[],
  context: MetricContext,
): Promise<MetricsRecommendation> {
  const results = await Promise.all(specs.map((spec) => evaluated(spec, context)));
  const errors = results.filter((result) => result instanceof MetricError);
  const known = results.filter((result): result is EvaluatedMetric => !(result instanceof MetricError));
  const greatest = known.reduce<EvaluatedMetric | undefined>(
    (most, each) => (most && most.replicas >= each.replicas ? most : each),
    undefined,
  );
  const isUnsure = !greatest || (errors.length > 0 && greatest.replicas < context.current);
  return {
    replicas: isUnsure ? undefined : greatest.replicas,
    name: greatest?.name ?? '',
    statuses: known.map(({ status }) => status),
    errors,
  };
}

async function evaluated(spec: MetricSpec, context: MetricContext): Promise<EvaluatedMetric | MetricError> {
  try {
    return await evaluateMetric(spec, context);
  } catch (error) {
    if (error instanceof MetricError) return error;
    throw error;
  }
}
