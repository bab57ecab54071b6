import type { Pod, PodTemplateSpec } from '../../../gen/stored/core-v1.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { checkedPod } from './checked-pod.ts';
import { type Evaluate, showViolations } from './evaluate.ts';
import type { EvaluationMetrics } from './evaluation-metrics.ts';
import { type LevelVersion, showLevelVersion } from './level-version.ts';
import type { NamespacePolicy } from './namespace-policy.ts';

/** The dependencies of an evaluation of Pods. */
export interface PodEvaluation {
  readonly evaluate: Evaluate;
  readonly metrics: EvaluationMetrics;
  readonly labelDomain: string;
  /** Adds an annotation of this plugin to the audit record. */
  readonly annotate: (attributes: AdmissionAttributes, key: string, value: string) => void;
}

/**
 * Checks a Pod or a template against the policy of its namespace. Refuses it with 403 if the
 * enforced level applies and is violated; otherwise warns. A refused Pod has no warnings.
 */
export function checkAgainstPolicy(
  evaluation: PodEvaluation,
  attributes: AdmissionAttributes,
  pod: Pod | PodTemplateSpec,
  { policy, errors }: NamespacePolicy,
  isEnforced: boolean,
): void {
  const { evaluate, metrics, annotate, labelDomain } = evaluation;
  if (errors.length > 0) {
    metrics.failed(false, attributes);
    annotate(attributes, 'error', `Failed to parse policy: ${showErrors(errors)}`);
  }
  const checked = checkedPod(pod, labelDomain);
  // The modes often have the same level.
  const known = new Map<string, string>();
  const violationsOf = (level: LevelVersion): string => {
    const name = showLevelVersion(level);
    const violations = known.get(name) ?? showViolations(evaluate(checked, level));
    known.set(name, violations);
    return violations && `violate PodSecurity ${JSON.stringify(name)}: ${violations}`;
  };
  const refusal = isEnforced ? violationsOf(policy.enforce).replace(/^violate/, 'violates') : '';
  if (isEnforced) {
    annotate(attributes, 'enforce-policy', showLevelVersion(policy.enforce));
    metrics.decided(refusal ? 'deny' : 'allow', policy.enforce, 'enforce', attributes);
  }
  const audited = violationsOf(policy.audit);
  if (audited) {
    annotate(attributes, 'audit-violations', `would ${audited}`);
    metrics.decided('deny', policy.audit, 'audit', attributes);
  }
  if (refusal) throw forbidden(attributes, refusal);
  const warned = violationsOf(policy.warn);
  if (!warned) return;
  metrics.decided('deny', policy.warn, 'warn', attributes);
  attributes.warn(`would ${warned}`);
}

/** Several errors are in brackets, as in kube-apiserver. */
function showErrors(errors: NamespacePolicy['errors']): string {
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  return texts.length === 1 ? `${texts[0]}` : `[${texts.join(', ')}]`;
}
