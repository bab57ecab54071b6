import { andThen, type MaybePromise, runMaybeAsync } from '../../../async/maybe-promise.ts';
import type { AdmissionAttributes, AdmissionPlugin, Operation } from '../../admission.ts';
import { conditionMetricsOf } from '../../expressions/condition-metrics.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { versionFor } from '../match-criteria.ts';
import type { PolicyDependencies } from '../policy-dependencies.ts';
import { type EnforcementAction, errorTypeOf, type PolicyMetrics, policyMetricsOf } from '../policy-metrics.ts';
import { collectParams, findParamObjects, paramValue } from '../find-param-objects.ts';
import { namespacesOf, policyRequest, type PolicyRequest, withParams } from '../policy-request.ts';
import { type PolicyCandidate, policySource } from '../policy-source.ts';
import { AuditAnnotations, auditFailure } from './audit-annotations.ts';
import { type Decision, evaluatePolicy, type PolicyResult } from './evaluate-policy.ts';
import { type Denial, policyRefusal } from './policy-refusal.ts';
import { readBinding, readPolicy, type ValidatingBinding, type ValidatingPolicy } from './validating-policy.ts';
import { awaited, type Evaluation } from '../../expressions/evaluation.ts';
import { pacer } from '../../expressions/pacer.ts';

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

const plugin = 'ValidatingAdmissionPolicy';

type Candidate = PolicyCandidate<ValidatingPolicy, ValidatingBinding>;

/**
 * Runs the validating policies that match a request and its bindings. All of them run; the client
 * gets the first denial in the order of their names.
 */
export function validatingAdmissionPolicy(dependencies: PolicyDependencies): AdmissionPlugin {
  const { identifiers, listerOf, decideCheck, metrics } = dependencies;
  const carriedOut = { ...dependencies, policies: policyMetricsOf(metrics), conditions: conditionMetricsOf(metrics) };
  const namespaces = namespacesOf(listerOf);
  const source = policySource(listerOf, {
    apiDomain: identifiers.apiDomain,
    policies: 'validatingadmissionpolicies',
    bindings: 'validatingadmissionpolicybindings',
    readPolicy,
    readBinding,
    fromFiles: dependencies.staticObjects(plugin),
  });
  const run = (attributes: AdmissionAttributes, candidates: readonly Candidate[]): MaybePromise<void> => {
    if (candidates.length === 0) return undefined;
    return andThen(policyRequest(attributes, namespaces, decideCheck), (request) =>
      andThen(runMaybeAsync(runPolicies(carriedOut, request, candidates, source.used)), ([first]) => {
        if (first) throw policyRefusal(attributes, first);
      }),
    );
  };
  return {
    name: plugin,
    operations,
    validate(attributes) {
      const candidates = source.candidates(attributes);
      return candidates instanceof Promise
        ? candidates.then((found) => run(attributes, found))
        : run(attributes, candidates);
    },
  };
}

/** Runs all matching policies; returns the denials. */
function* runPolicies(
  dependencies: MeasuredDependencies,
  request: PolicyRequest,
  candidates: readonly Candidate[],
  used: PolicyRun['used'],
): Evaluation<readonly Denial[]> {
  const denials: Denial[] = [];
  const rest = pacer();
  for (const candidate of candidates) {
    const { policy } = candidate;
    const annotations = new AuditAnnotations();
    try {
      // Not by a spread, which takes as long as a validation.
      yield* runPolicy({ dependencies, request, candidate, annotations, denials, rest, used });
    } catch (error) {
      denyUnlessIgnored(denials, policy, undefined, error);
    }
    annotations.publish(policy.name, request.attributes);
  }
  return denials;
}

/** The dependencies with the metric families. */
interface MeasuredDependencies extends PolicyDependencies {
  readonly policies: PolicyMetrics;
  readonly conditions: ReturnType<typeof conditionMetricsOf>;
}

/** The evaluation of a policy for a request. */
interface PolicyRun {
  readonly dependencies: MeasuredDependencies;
  readonly request: PolicyRequest;
  readonly candidate: Candidate;
  readonly annotations: AuditAnnotations;
  readonly denials: Denial[];
  /** Called between evaluations; returns a promise to await if the previous ones took long. */
  readonly rest: () => MaybePromise<void>;
  readonly used: (policy: ValidatingPolicy) => void;
}

function* runPolicy(run: PolicyRun): Evaluation<void> {
  const { dependencies, request, candidate, denials } = run;
  const { policy, versions, bindings } = candidate;
  const { name } = request.attributes;
  const version = versionFor(versions, name);
  if (!version || !request.isSelectedBy(policy.criteria)) return;
  const objects = findParamObjects(dependencies.findParams, policy.paramKind);
  const { operation } = request.attributes;
  const observe = (seconds: number, failures: number): void =>
    dependencies.conditions.evaluated(
      { name: policy.name, kind: 'policy', type: 'validate', operation },
      seconds,
      failures,
    );
  for (const { binding, versions: ofBinding } of bindings) {
    try {
      if (ofBinding && !versionFor(ofBinding, name)) continue;
      if (binding.criteria && !request.isSelectedBy(binding.criteria)) continue;
      const ref = { ref: binding.paramRef, namespace: request.namespace, signal: request.attributes.signal };
      const params = yield* awaited(collectParams(objects, ref));
      if (params.length === 0) continue;
      const inputs = yield* awaited(request.inputs(version));
      run.used(policy);
      const expressions = yield* awaited(policy.expressions());
      for (const param of params) {
        const values = withParams(inputs, paramValue(param));
        enforce(run, binding, yield* evaluatePolicy(expressions, values, observe));
        yield run.rest();
      }
    } catch (error) {
      denyUnlessIgnored(denials, policy, binding, error);
    }
  }
}

/**
 * Denies the request if a policy or binding cannot be evaluated, unless the failure policy is
 * Ignore.
 */
function denyUnlessIgnored(
  denials: Denial[],
  policy: ValidatingPolicy,
  binding: ValidatingBinding | undefined,
  error: unknown,
): void {
  if (!(error instanceof ConfigurationError)) throw error;
  if (policy.ignoresFailure) return;
  const message = `failed to configure ${binding ? 'binding' : 'policy'}: ${error.message}`;
  denials.push({ policy: policy.name, binding: binding?.name, message, reason: undefined });
}

/** Applies the actions of a binding to the failures of a policy. */
function enforce(
  run: PolicyRun,
  binding: ValidatingBinding,
  { failures, auditValues, auditErrors }: PolicyResult,
): void {
  const { candidate, annotations } = run;
  const { ignoresFailure } = candidate.policy;
  for (const failure of failures) {
    if (failure.reason === undefined && ignoresFailure) count(run, binding, failure, 'allow');
    else for (const action of binding.actions) actions[action]?.(run, binding, failure);
  }
  for (const { key, value } of auditValues) annotations.add(key, value);
  if (ignoresFailure) return;
  for (const auditError of auditErrors) deny(run, binding, auditError);
}

type Act = (run: PolicyRun, binding: ValidatingBinding, failure: Decision) => void;

function deny(run: PolicyRun, binding: ValidatingBinding, failure: Decision): void {
  const { message, reason } = failure;
  run.denials.push({ policy: run.candidate.policy.name, binding: binding.name, message, reason });
  count(run, binding, failure, 'deny');
}

function warn(run: PolicyRun, binding: ValidatingBinding, failure: Decision): void {
  const { request, candidate } = run;
  const by = `ValidatingAdmissionPolicy '${candidate.policy.name}' with binding '${binding.name}'`;
  request.attributes.warn(`Validation failed for ${by}: ${failure.message}`);
  count(run, binding, failure, 'warn');
}

function audit(run: PolicyRun, binding: ValidatingBinding, failure: Decision): void {
  const { request, candidate, dependencies } = run;
  auditFailure(request.attributes, dependencies.identifiers.apiDomain, {
    message: failure.message,
    policy: candidate.policy.name,
    binding: binding.name,
    expressionIndex: failure.index,
    validationActions: binding.actions,
  });
  count(run, binding, failure, 'audit');
}

const actions: Readonly<Record<string, Act>> = { Audit: audit, Deny: deny, Warn: warn };

function count(
  { candidate, dependencies }: PolicyRun,
  binding: ValidatingBinding,
  { message, durationMs }: Decision,
  action: EnforcementAction,
): void {
  const evaluated = { policy: candidate.policy.name, binding: binding.name, error: errorTypeOf(message) };
  dependencies.policies.validated(evaluated, action, durationMs / 1_000);
}
