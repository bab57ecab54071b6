import type { CelType } from '../../cel/types/cel-type.ts';
import {
  compileExpression,
  environmentOfStored,
  type ExpressionScope,
  results,
} from '../../admission/expressions/compile-expression.ts';
import { composeVariables } from '../../admission/expressions/compose-variables.ts';
import { pacer } from '../../admission/expressions/pacer.ts';
import { type MaybeAsync, runMaybeAsync } from '../../async/maybe-promise.ts';
import type { ExpressionWarning, ValidatingAdmissionPolicy } from '../../gen/types/admissionregistration-v1.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';

/** A kind that a policy matches, with the type of its objects. */
export interface CheckedKind {
  /** The kind in messages: `apps/v1, Kind=Deployment`. */
  readonly shown: string;
  readonly type: CelType;
}

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;

/**
 * Compiles the expressions of a policy with the types of each kind that it matches. Returns a
 * warning for each expression with errors.
 */
export function checkTypes(
  spec: Spec,
  kinds: readonly CheckedKind[],
  params: CelType | undefined,
): MaybePromise<readonly ExpressionWarning[]> {
  return runMaybeAsync(warningsOf(spec, kinds, params));
}

function* warningsOf(
  spec: Spec,
  kinds: readonly CheckedKind[],
  params: CelType | undefined,
): MaybeAsync<void, readonly ExpressionWarning[]> {
  const rest = pacer();
  const scopes: { readonly kind: CheckedKind; readonly scope: ExpressionScope }[] = [];
  for (const kind of kinds) {
    const base = {
      hasParams: spec.paramKind !== undefined,
      hasAuthorizer: true,
      environmentOf: environmentOfStored,
      known: { object: kind.type, params },
    };
    const variables = spec.variables?.length ? yield* composeVariables(spec.variables, base, rest) : undefined;
    scopes.push({ kind, scope: { ...base, ...(variables ? { variables: variables.type } : {}) } });
  }
  const warnings: ExpressionWarning[] = [];
  for (const [index, validation] of (spec.validations ?? []).entries()) {
    for (const field of ['expression', 'messageExpression'] as const) {
      const text = validation[field] ?? '';
      if (text === '') continue;
      const problems = scopes.flatMap(({ kind, scope }) => problemOf(text, kind, scope));
      yield rest();
      if (problems.length === 0) continue;
      warnings.push({ fieldRef: `spec.validations[${index}].${field}`, warning: problems.join('\n') });
    }
  }
  return warnings;
}

function problemOf(text: string, { shown }: CheckedKind, scope: ExpressionScope): readonly string[] {
  const { error } = compileExpression(text, scope, results.anything);
  return error === undefined ? [] : [`${shown}: ${error.replace(/^compilation failed: /, '')}\n`];
}
