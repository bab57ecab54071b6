import { memoize } from '../../meta/memoize.ts';
import { counterVector, histogramVector } from '../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../metrics/metrics-registry.ts';

/** An evaluation of a policy for a binding, and its error. */
interface EvaluatedPolicy {
  readonly policy: string;
  readonly binding: string;
  readonly error: PolicyErrorType;
}

type PolicyErrorType = 'no_error' | 'compile_error' | 'out_of_budget' | 'invalid_error';

/** The consequence of a failed validation. */
export type EnforcementAction = 'allow' | 'deny' | 'warn' | 'audit';

/** Counts evaluations of policies. */
export interface PolicyMetrics {
  validated(evaluated: EvaluatedPolicy, action: EnforcementAction, seconds: number): void;
  mutated(evaluated: EvaluatedPolicy, seconds: number): void;
}

/** Bounds in seconds, as in kube-apiserver. */
const bounds = [5e-7, 0.001, 0.01, 0.1, 1];

/** The metric families of policies, registered once. */
export const policyMetricsOf = memoize(policyMetrics);

function policyMetrics(metrics: MetricsRegistry): PolicyMetrics {
  const validating = ['policy', 'policy_binding', 'error_type', 'enforcement_action'];
  const mutating = ['policy', 'policy_binding', 'error_type'];
  const checks = counterVector(
    {
      name: 'apiserver_validating_admission_policy_check_total',
      help: 'Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
    },
    validating,
  );
  const durations = histogramVector(
    {
      name: 'apiserver_validating_admission_policy_check_duration_seconds',
      help: 'Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
    },
    validating,
    bounds,
  );
  const mutations = counterVector(
    {
      name: 'apiserver_mutating_admission_policy_check_total',
      help: 'Mutation admission policy check total, labeled by policy and further identified by binding.',
    },
    mutating,
  );
  const mutationDurations = histogramVector(
    {
      name: 'apiserver_mutating_admission_policy_check_duration_seconds',
      help: 'Mutation admission latency for individual mutation expressions in seconds, labeled by policy and binding.',
    },
    mutating,
    bounds,
  );
  metrics.register(checks, durations, mutations, mutationDurations);
  return {
    validated({ policy, binding, error }, action, seconds) {
      checks.with(policy, binding, error, action).add();
      durations.with(policy, binding, error, action).observe(seconds);
    },
    mutated({ policy, binding, error }, seconds) {
      mutations.with(policy, binding, error).add();
      mutationDurations.with(policy, binding, error).observe(seconds);
    },
  };
}

/** The type of an error, by its message. */
export function errorTypeOf(message: string): PolicyErrorType {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}
