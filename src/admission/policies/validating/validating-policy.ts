import type {
  AuditAnnotation,
  ParamKind,
  ParamRef,
  Validation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../gen/stored/admissionregistration-v1.ts';
import { runMaybeAsync } from '../../../async/maybe-promise.ts';
import { pacer } from '../../expressions/pacer.ts';
import { type CompiledOnce, compiledOnce } from '../../expressions/compiled-once.ts';
import {
  type CompiledExpression,
  compileExpression,
  environmentOfStored,
  type EnvironmentOf,
  type ExpressionScope,
  results,
} from '../../expressions/compile-expression.ts';
import { type ComposedVariables, composeVariables } from '../../expressions/compose-variables.ts';
import { type CompiledConditions, compileConditions, readsAuthorizer } from '../../expressions/compile-conditions.ts';
import { matchesNothing, readCriteria } from '../match-criteria.ts';
import type { ReadBinding, ReadPolicy } from '../policy-source.ts';
import type { Evaluation } from '../../expressions/evaluation.ts';

/** A compiled validation of a policy. */
interface CompiledValidation {
  readonly source: Validation;
  readonly condition: CompiledExpression;
  /** The message expression; undefined without one. */
  readonly message: CompiledExpression | undefined;
}

/** A compiled audit annotation. */
interface CompiledAnnotation {
  readonly source: AuditAnnotation;
  readonly value: CompiledExpression;
}

/** The compiled expressions of a policy. Expressions that do not compile have their error. */
export interface ValidatingExpressions {
  readonly hasParams: boolean;
  /** The variables; undefined if the policy has none. */
  readonly variables: ComposedVariables | undefined;
  readonly conditions: CompiledConditions | undefined;
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
  /** True if a validation or a variable reads an authorizer. */
  readonly readsAuthorizer: boolean;
  /** True if a validation has a message expression. */
  readonly hasMessages: boolean;
}

/** A policy in the form that requests need. */
export interface ValidatingPolicy extends ReadPolicy {
  readonly ignoresFailure: boolean;
  readonly paramKind: ParamKind | undefined;
  /** The expressions, which are compiled on first use. */
  readonly expressions: CompiledOnce<ValidatingExpressions>;
}

/** A binding in the form that requests need. */
export interface ValidatingBinding extends ReadBinding {
  readonly paramRef: ParamRef | undefined;
  readonly actions: readonly string[];
}

/** Reads a policy object. */
export function readPolicy({ metadata, spec }: ValidatingAdmissionPolicy): ValidatingPolicy {
  return {
    name: metadata.name ?? '',
    criteria: spec.matchConstraints ? readCriteria(spec.matchConstraints) : matchesNothing,
    ignoresFailure: spec.failurePolicy === 'Ignore',
    paramKind: spec.paramKind,
    textLength: JSON.stringify(spec).length,
    expressions: compiledOnce(() => runMaybeAsync(compileValidating(spec))),
  };
}

/** Reads a binding object. Bindings stored before `validationActions` existed deny. */
export function readBinding({ metadata, spec }: ValidatingAdmissionPolicyBinding): ValidatingBinding {
  return {
    name: metadata.name ?? '',
    policyName: spec.policyName ?? '',
    criteria: spec.matchResources && readCriteria(spec.matchResources),
    paramRef: spec.paramRef,
    actions: spec.validationActions ?? ['Deny'],
  };
}

/** Compiles the expressions of a policy; other requests may run between them. */
export function* compileValidating(
  spec: ValidatingAdmissionPolicy['spec'],
  environmentOf: EnvironmentOf = environmentOfStored,
): Evaluation<ValidatingExpressions> {
  const rest = pacer();
  const hasParams = spec.paramKind !== undefined;
  const base = { hasParams, hasAuthorizer: true, environmentOf };
  const variables = spec.variables?.length ? yield* composeVariables(spec.variables, base, rest) : undefined;
  const scope = { ...base, ...(variables ? { variables: variables.type } : {}) };
  const validations: CompiledValidation[] = [];
  for (const source of spec.validations ?? []) {
    validations.push(compileValidation(source, scope));
    yield rest();
  }
  const annotations: CompiledAnnotation[] = [];
  for (const source of spec.auditAnnotations ?? []) {
    annotations.push({ source, value: compileExpression(source.valueExpression.trim(), scope, results.optionalText) });
    yield rest();
  }
  const { matchConditions = [] } = spec;
  const conditions =
    matchConditions.length > 0
      ? yield* compileConditions(matchConditions, { hasParams, environmentOf, rest })
      : undefined;
  const read = [...validations.map(({ condition }) => condition), ...(variables?.expressions.values() ?? [])];
  return {
    hasParams,
    variables,
    conditions,
    validations,
    annotations,
    readsAuthorizer: read.some(readsAuthorizer),
    hasMessages: validations.some(({ message }) => message !== undefined),
  };
}

function compileValidation(source: Validation, scope: ExpressionScope): CompiledValidation {
  const { expression, messageExpression = '' } = source;
  return {
    source,
    condition: compileExpression(expression, scope, results.condition),
    message:
      messageExpression === ''
        ? undefined
        : compileExpression(messageExpression, { ...scope, hasAuthorizer: false }, results.text),
  };
}
