import { runMaybeAsync } from '../../../async/maybe-promise.ts';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  Mutation,
  ParamKind,
  ParamRef,
} from '../../../gen/stored/admissionregistration-v1.ts';
import {
  type CompiledExpression,
  compileExpression,
  environmentOfStored,
  type EnvironmentOf,
  results,
} from '../../expressions/compile-expression.ts';
import { type ComposedVariables, composeVariables } from '../../expressions/compose-variables.ts';
import type { Evaluation } from '../../expressions/evaluation.ts';
import { type CompiledConditions, compileConditions } from '../../expressions/compile-conditions.ts';
import { pacer } from '../../expressions/pacer.ts';
import { type CompiledOnce, compiledOnce } from '../../expressions/compiled-once.ts';
import { matchesNothing, readCriteria } from '../match-criteria.ts';
import type { ReadBinding, ReadPolicy } from '../policy-source.ts';

/** A change of a policy, compiled. */
export interface CompiledMutation {
  readonly type: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: CompiledExpression;
}

/** The expressions of a policy. Those that do not compile have their errors. */
export interface MutatingExpressions {
  readonly hasParams: boolean;
  /** Undefined if the policy has no variables. */
  readonly variables: ComposedVariables | undefined;
  readonly conditions: CompiledConditions | undefined;
  readonly mutations: readonly CompiledMutation[];
}

/** A policy with everything that a request needs of it. */
export interface MutatingPolicy extends ReadPolicy {
  readonly ignoresFailure: boolean;
  readonly paramKind: ParamKind | undefined;
  /** True if it may run twice for a request. */
  readonly isReinvoked: boolean;
  /** Its expressions, which are compiled when they are first needed. */
  readonly expressions: CompiledOnce<MutatingExpressions>;
}

/** A binding with everything that a request needs of it. */
export interface MutatingBinding extends ReadBinding {
  readonly paramRef: ParamRef | undefined;
}

/** Reads a policy. */
export function readPolicy({ metadata, spec }: MutatingAdmissionPolicy): MutatingPolicy {
  return {
    name: metadata.name ?? '',
    criteria: spec.matchConstraints ? readCriteria(spec.matchConstraints) : matchesNothing,
    ignoresFailure: spec.failurePolicy === 'Ignore',
    paramKind: spec.paramKind,
    isReinvoked: spec.reinvocationPolicy === 'IfNeeded',
    textLength: JSON.stringify(spec).length,
    expressions: compiledOnce(() => runMaybeAsync(compileMutating(spec))),
  };
}

/** Reads a binding. */
export function readBinding({ metadata, spec }: MutatingAdmissionPolicyBinding): MutatingBinding {
  return {
    name: metadata.name ?? '',
    policyName: spec.policyName ?? '',
    criteria: spec.matchResources && readCriteria(spec.matchResources),
    paramRef: spec.paramRef,
  };
}

/** Compiles the expressions of a policy; between them other requests may run. */
export function* compileMutating(
  spec: MutatingAdmissionPolicy['spec'],
  environmentOf: EnvironmentOf = environmentOfStored,
): Evaluation<MutatingExpressions> {
  const rest = pacer();
  const hasParams = spec.paramKind !== undefined;
  const base = { hasParams, hasAuthorizer: true, environmentOf };
  const variables = spec.variables?.length ? yield* composeVariables(spec.variables, base, rest) : undefined;
  const scope = { ...base, ...(variables ? { variables: variables.type } : {}), makesPatches: true } as const;
  const mutations: CompiledMutation[] = [];
  for (const mutation of spec.mutations ?? []) {
    const isPatch = mutation.patchType === 'JSONPatch';
    const wanted = isPatch ? results.patch : results.object;
    const expression = compileExpression(textOf(mutation), scope, wanted);
    mutations.push({ type: isPatch ? 'JSONPatch' : 'ApplyConfiguration', expression });
    yield rest();
  }
  const { matchConditions = [] } = spec;
  const conditions =
    matchConditions.length > 0
      ? yield* compileConditions(matchConditions, { hasParams, environmentOf, rest })
      : undefined;
  return { hasParams, variables, conditions, mutations };
}

function textOf({ patchType, jsonPatch, applyConfiguration }: Mutation): string {
  return (patchType === 'JSONPatch' ? jsonPatch : applyConfiguration)?.expression ?? '';
}
