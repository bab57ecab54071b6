import { andThen, type MaybePromise, runMaybeAsync } from '../../../async/maybe-promise.ts';
import { fromJsonWithInts } from '../../../cel/values/from-json.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { memoize } from '../../../meta/memoize.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { nameOf, namespaceOf } from '../../../meta/object-meta.ts';
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  AdmittedVersion,
  Operation,
  Reinvocation,
} from '../../admission.ts';
import { changeObject } from '../../change-object.ts';
import type { ExpressionInputs } from '../../expressions/activation.ts';
import { conditionMetricsOf } from '../../expressions/condition-metrics.ts';
import { awaited, type Evaluation } from '../../expressions/evaluation.ts';
import { evaluateConditions } from '../../expressions/compile-conditions.ts';
import { pacer } from '../../expressions/pacer.ts';
import { requestValue } from '../../expressions/request-inputs.ts';
import { InvocationRounds } from '../../invocation-rounds.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { versionFor } from '../match-criteria.ts';
import type { PolicyDependencies } from '../policy-dependencies.ts';
import { errorTypeOf, type PolicyMetrics, policyMetricsOf } from '../policy-metrics.ts';
import { collectParams, findParamObjects, paramValue } from '../find-param-objects.ts';
import { namespacesOf, policyRequest, type PolicyRequest, withParams } from '../policy-request.ts';
import { type PolicyCandidate, policySource } from '../policy-source.ts';
import { evaluateMutation, shownObjects } from './mutate-object.ts';
import {
  type MutatingBinding,
  type MutatingExpressions,
  type MutatingPolicy,
  readBinding,
  readPolicy,
} from './mutating-policy.ts';
import { MutationError } from './mutation-error.ts';
import { mutationRefusal, type PolicyFailure } from './mutation-refusal.ts';

/** The operations with an object to change; a deletion has none. */
const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'CONNECT'];

const plugin = 'MutatingAdmissionPolicy';

type Candidate = PolicyCandidate<MutatingPolicy, MutatingBinding>;

/**
 * Changes objects by the policies and bindings that match a write, in the order of their names;
 * each one sees the changes of the previous ones. After a change all plugins run again.
 */
export function mutatingAdmissionPolicy(dependencies: PolicyDependencies): AdmissionPlugin {
  const { identifiers, listerOf, decideCheck, metrics } = dependencies;
  const measured = { ...dependencies, policies: policyMetricsOf(metrics), conditions: conditionMetricsOf(metrics) };
  const namespaces = namespacesOf(listerOf);
  const roundsOf = memoize<Reinvocation, InvocationRounds>(() => new InvocationRounds());
  const source = policySource(listerOf, {
    apiDomain: identifiers.apiDomain,
    policies: 'mutatingadmissionpolicies',
    bindings: 'mutatingadmissionpolicybindings',
    readPolicy,
    readBinding,
    fromFiles: dependencies.staticObjects(plugin),
  });
  const run = (attributes: AdmissionAttributes, candidates: readonly Candidate[]): MaybePromise<void> => {
    if (candidates.length === 0) return undefined;
    return andThen(policyRequest(attributes, namespaces, decideCheck), (request) =>
      runMaybeAsync(
        mutateBy({ ...measured, request, rounds: roundsOf(attributes.reinvocation), used: source.used }, candidates),
      ),
    );
  };
  return {
    name: plugin,
    operations,
    mutate(attributes) {
      const candidates = source.candidates(attributes);
      return candidates instanceof Promise
        ? candidates.then((found) => run(attributes, found))
        : run(attributes, candidates);
    },
  };
}

/** A write that policies are applied to. */
interface MutatedWrite extends PolicyDependencies {
  readonly policies: PolicyMetrics;
  readonly conditions: ReturnType<typeof conditionMetricsOf>;
  readonly request: PolicyRequest;
  readonly rounds: InvocationRounds;
  readonly used: (policy: MutatingPolicy) => void;
}

/** A run of a policy for a binding and a parameter. */
interface Invocation {
  readonly policy: MutatingPolicy;
  readonly binding: MutatingBinding;
  readonly version: AdmittedVersion;
  readonly param: JsonObject | null;
}

/** Applies policies. All invocations are collected before the first of them changes the object. */
function* mutateBy(write: MutatedWrite, candidates: readonly Candidate[]): Evaluation<void> {
  const { attributes } = write.request;
  const failures: PolicyFailure[] = [];
  const invocations: Invocation[] = [];
  for (const candidate of candidates) yield* collectInvocations(write, candidate, invocations, failures);
  if (invocations.length > 0) {
    const { rounds } = write;
    if (attributes.reinvocation.round > 0) rounds.begin(attributes.object);
    else attributes.showSent?.();
    const rest = pacer();
    let last: AdmittedVersion | undefined;
    const mutated = new Set<AdmittedVersion>();
    for (const invocation of invocations) {
      const { isRun, isMutated } = yield* invoke(write, invocation, failures);
      if (isRun) last = invocation.version;
      if (isMutated) mutated.add(invocation.version);
      yield rest();
    }
    // As in kube-apiserver, a successful mutation starts another round, even if it changes nothing.
    if (last && mutated.has(last)) {
      rounds.changed();
      attributes.reinvocation.isWanted = true;
    }
    rounds.end(attributes.object);
  }
  const refusing = failures.filter(({ policy }) => !policy.ignoresFailure);
  if (refusing.length > 0) throw mutationRefusal(attributes, refusing);
}

function* collectInvocations(
  { request, findParams }: MutatedWrite,
  { policy, versions, bindings }: Candidate,
  invocations: Invocation[],
  failures: PolicyFailure[],
): Evaluation<void> {
  const { name, signal } = request.attributes;
  let current: MutatingBinding | undefined;
  const fail = (error: unknown): void => {
    if (!(error instanceof ConfigurationError)) throw error;
    const message = `failed to configure ${current ? 'binding' : 'policy'}: ${error.message}`;
    failures.push({ policy, binding: current?.name, message, reason: undefined });
  };
  try {
    const version = versionFor(versions, name);
    if (!version || !request.isSelectedBy(policy.criteria)) return;
    const objects = findParamObjects(findParams, policy.paramKind);
    for (const { binding, versions: ofBinding } of bindings) {
      current = binding;
      try {
        if (ofBinding && !versionFor(ofBinding, name)) continue;
        if (binding.criteria && !request.isSelectedBy(binding.criteria)) continue;
        const named = { ref: binding.paramRef, namespace: request.namespace, signal };
        const params = yield* awaited(collectParams(objects, named));
        for (const param of params) invocations.push({ policy, binding, version, param });
      } catch (error) {
        fail(error);
      }
    }
  } catch (error) {
    fail(error);
  }
}

/** The outcome of an invocation: if mutations ran, and if one of them succeeded. */
interface Invoked {
  readonly isRun: boolean;
  readonly isMutated: boolean;
}

const notInvoked: Invoked = Object.freeze({ isRun: false, isMutated: false });

function* invoke(write: MutatedWrite, invocation: Invocation, failures: PolicyFailure[]): Evaluation<Invoked> {
  const { request, rounds } = write;
  const { policy, binding, param } = invocation;
  const { attributes } = request;
  write.used(policy);
  const expressions = yield* awaited(policy.expressions());
  const fail = (message: string): void =>
    void failures.push({ policy, binding: binding.name, message, reason: 'Invalid' });
  if (!(yield* isMatch(write, invocation, expressions, fail))) return notInvoked;
  const key = JSON.stringify([policy.name, binding.name, param && [namespaceOf(param), nameOf(param)]]);
  if (attributes.reinvocation.round > 0 && !rounds.isCalledAgain(key)) return notInvoked;
  let isChanged = false;
  let isMutated = false;
  for (const mutation of expressions.mutations) {
    if (!attributes.object) break;
    const startMs = performance.now();
    const count = (error: string): void =>
      write.policies.mutated(
        { policy: policy.name, binding: binding.name, error: error === '' ? 'no_error' : errorTypeOf(error) },
        (performance.now() - startMs) / 1_000,
      );
    try {
      const inputs = yield* inputsOf(write, invocation);
      const change = yield* evaluateMutation(expressions, mutation, inputs, invocation.version);
      const changing = changeObject(attributes.object, {
        version: invocation.version,
        fillDefaults: (one) => attributes.fillDefaults(one),
        by: 'policy',
        change,
        ...(mutation.type === 'ApplyConfiguration' ? { undecodable: notConverted } : {}),
      });
      if (yield* awaited(changing)) isChanged = true;
      isMutated = true;
      count('');
    } catch (error) {
      count(error instanceof Error ? error.message : '');
      if (!(error instanceof MutationError)) throw error;
      fail(error.message);
    }
  }
  if (isChanged) {
    rounds.changed();
    attributes.reinvocation.isWanted = true;
  }
  if (policy.isReinvoked) rounds.called(key);
  return { isRun: expressions.mutations.length > 0, isMutated };
}

function notConverted(error: Error, shown: JsonObject): MutationError {
  const [version, kind] = [stringAt(shown, 'apiVersion'), stringAt(shown, 'kind')];
  const type = `${version.includes('/') ? version : `/${version}`}, Kind=${kind}`;
  return new MutationError(`unable to convert unstructured object to ${type}: ${error.message}`, { cause: error });
}

/** Evaluates the match conditions, which see the changes of the previous policies. */
function* isMatch(
  write: MutatedWrite,
  invocation: Invocation,
  { conditions }: MutatingExpressions,
  fail: (message: string) => void,
): Evaluation<boolean> {
  if (!conditions) return true;
  const startMs = performance.now();
  const result = yield* evaluateConditions(conditions, yield* inputsOf(write, invocation));
  const { operation } = write.request.attributes;
  // kube-apiserver counts these conditions under the type `validate`.
  const owner = { name: invocation.policy.name, kind: 'policy', type: 'validate', operation } as const;
  write.conditions.evaluated(owner, (performance.now() - startMs) / 1_000, result.failures);
  if (result.error !== '') fail(result.error);
  return result.isMatch;
}

/** The inputs of expressions, with the present state of the object. */
function* inputsOf({ request }: MutatedWrite, { version, param }: Invocation): Evaluation<ExpressionInputs> {
  const { attributes } = request;
  const { object, oldObject } = attributes;
  const [now, old] = yield* awaited(shownObjects(version, object, oldObject));
  const inputs = request.inputsOf({
    object: now && fromJsonWithInts(now),
    oldObject: old && fromJsonWithInts(old),
    request: requestValue(attributes, version),
  });
  return withParams(inputs, paramValue(param));
}
