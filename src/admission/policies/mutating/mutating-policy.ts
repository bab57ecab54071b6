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

/** A compiled mutation of a policy. */
export interface CompiledMutation {
  readonly type: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: CompiledExpression;
}

/** The compiled expressions of a policy. Expressions that do not compile have their error. */
export interface MutatingExpressions {
  readonly hasParams: boolean;
  /** The variables; undefined if the policy has none. */
  readonly variables: ComposedVariables | undefined;
  readonly conditions: CompiledConditions | undefined;
  readonly mutations: readonly CompiledMutation[];
}

/** A policy in the form that requests need. */
export interface MutatingPolicy extends ReadPolicy {
  readonly ignoresFailure: boolean;
  readonly paramKind: ParamKind | undefined;
  /** True if the policy may run twice for a request. */
  readonly isReinvoked: boolean;
  /** The expressions, which are compiled on first use. */
  readonly expressions: CompiledOnce<MutatingExpressions>;
}

/** A binding in the form that requests need. */
export interface MutatingBinding extends ReadBinding {
  readonly paramRef: ParamRef | undefined;
}

/** Reads a policy object. */
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

/** Reads a binding object. */
export function readBinding({ metadata, spec }: MutatingAdmissionPolicyBinding): MutatingBinding {
  return {
    name: metadata.name ?? '',
    policyName: spec.policyName ?? '',
    criteria: spec.matchResources && readCriteria(spec.matchResources),
    paramRef: spec.paramRef,
  };
}

/** Compiles the expressions of a policy; other requests may run between them. */
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
