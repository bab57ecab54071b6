import { counterVector } from '../../../metrics/metric-vector.ts';
import type { MetricsRegistry } from '../../../metrics/metrics-registry.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { latestVersion, type LevelVersion, showVersion } from './level-version.ts';
import type { Mode } from './namespace-policy.ts';

/** Counts the decisions of the plugin, with kube-apiserver's families. */
export interface EvaluationMetrics {
  decided(decision: 'allow' | 'deny', level: LevelVersion, mode: Mode, attributes: AdmissionAttributes): void;
  exempted(attributes: AdmissionAttributes): void;
  /** Counts an error that prevents the normal evaluation; a fatal one refuses the request. */
  failed(isFatal: boolean, attributes: AdmissionAttributes): void;
}

/** Registers the families. `release` is the minor number of the newest known standards. */
export function evaluationMetrics(metrics: MetricsRegistry, release: number): EvaluationMetrics {
  const ofRequest = ['request_operation', 'resource', 'subresource'];
  const evaluations = counterVector(
    {
      name: 'pod_security_evaluations_total',
      help: 'Number of policy evaluations that occurred, not counting ignored or exempt requests.',
    },
    ['decision', 'policy_level', 'policy_version', 'mode', ...ofRequest],
  );
  const exemptions = counterVector(
    {
      name: 'pod_security_exemptions_total',
      help: 'Number of exempt requests, not counting ignored or out of scope requests.',
    },
    ofRequest,
  );
  const errors = counterVector(
    {
      name: 'pod_security_errors_total',
      help: 'Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.',
    },
    ['fatal', ...ofRequest],
  );
  for (const family of [evaluations, exemptions, errors]) metrics.register(family);
  return {
    decided: (decision, level, mode, attributes) =>
      evaluations.with(decision, level.level, versionLabel(level, release), mode, ...labelsOf(attributes)).add(),
    exempted: (attributes) => exemptions.with(...labelsOf(attributes)).add(),
    failed: (isFatal, attributes) => errors.with(`${isFatal}`, ...labelsOf(attributes)).add(),
  };
}

/** Versions after the release share one label, because users choose them. */
function versionLabel({ level, version }: LevelVersion, release: number): string {
  if (version === latestVersion || level === 'privileged') return showVersion(latestVersion);
  return version > release ? 'future' : showVersion(version);
}

const kinds: Readonly<Record<string, string>> = { pods: 'pod', namespaces: 'namespace' };

function labelsOf({ operation, resource, subresource }: AdmissionAttributes): readonly string[] {
  return [operation.toLowerCase(), kinds[resource.resource] ?? 'controller', subresource];
}
