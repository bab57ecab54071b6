import { requestTypes } from '../../identifiers/request-types.ts';
import { type CelType, listOf, mapOf, type ObjectType, types } from '../../cel/types/cel-type.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { type CompiledExpression, compileExpression, type ExpressionScope, results } from './compile-expression.ts';
import type { Evaluation } from './evaluation.ts';

/** The compiled variables of a policy. Each may read the variables before it. */
export interface ComposedVariables {
  readonly expressions: ReadonlyMap<string, CompiledExpression>;
  /** The type of `variables`. Variables that do not compile have any type. */
  readonly type: ObjectType;
}

/** Compiles the variables of a policy in order; other requests may run between them. */
export function* composeVariables(
  variables: readonly { readonly name: string; readonly expression: string }[],
  scope: ExpressionScope,
  rest: () => MaybePromise<void>,
): Evaluation<ComposedVariables> {
  const expressions = new Map<string, CompiledExpression>();
  const fields = new Map<string, { readonly name: string; readonly type: CelType }>();
  const type: ObjectType = { kind: 'object', name: `${requestTypes}variables`, fields };
  for (const { name, expression } of variables) {
    const compiled = compileExpression(expression, { ...scope, variables: type }, results.anything);
    expressions.set(name, compiled);
    fields.set(name, { name, type: declaredType(compiled.program?.type ?? types.dyn) });
    yield rest();
  }
  return { expressions, type };
}

/**
 * The declared type of a variable. As in kube-apiserver, objects and library values become `dyn`.
 */
function declaredType(type: CelType): CelType {
  if (type.kind === 'list') return listOf(declaredType(type.element));
  if (type.kind === 'map') return mapOf(declaredType(type.key), declaredType(type.value));
  return hasParts.has(type.kind) ? types.dyn : type;
}

const hasParts: ReadonlySet<CelType['kind']> = new Set(['object', 'optional', 'opaque', 'type', 'variable', 'error']);
