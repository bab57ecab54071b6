import type { MatchCondition } from '../../gen/stored/admissionregistration-v1.ts';
import { Activation, BudgetExceeded, type ExpressionInputs } from './activation.ts';
import {
  type CompiledExpression,
  compileExpression,
  environmentOfStored,
  type ExpressionScope,
  results,
} from './compile-expression.ts';
import type { Evaluation } from './evaluation.ts';
import { pacer } from './pacer.ts';

/** The cost of all conditions of a webhook or policy, as in kube-apiserver. */
const conditionsBudget = 2_500_000;

/** Conditions under which a webhook is called or a policy runs, compiled. */
export interface CompiledConditions {
  readonly expressions: readonly CompiledExpression[];
  readonly hasParams: boolean;
}

/** Validation refuses more. */
const mostConditions = 64;

/** How conditions are compiled. */
interface ConditionOptions extends Partial<Pick<ExpressionScope, 'hasParams' | 'environmentOf'>> {
  /** Called between the conditions: a promise of the next turn if those before took long. */
  readonly rest?: ReturnType<typeof pacer>;
}

/** Compiles conditions; between them other requests may run. */
export function* compileConditions(
  conditions: readonly MatchCondition[],
  { hasParams = false, environmentOf = environmentOfStored, rest = pacer() }: ConditionOptions = {},
): Evaluation<CompiledConditions> {
  const scope = { hasParams, hasAuthorizer: true, environmentOf };
  const expressions: CompiledExpression[] = [];
  for (const { expression } of conditions.slice(0, mostConditions)) {
    expressions.push(compileExpression(expression, scope, results.condition));
    yield rest();
  }
  return { expressions, hasParams };
}

/** The result of conditions. `errors` is how many failed. */
interface ConditionsResult {
  readonly isMatch: boolean;
  /** Why it is not known whether they match; '' if it is. */
  readonly error: string;
  readonly failures: number;
}

/** Evaluates conditions: one that is false decides, even if others fail. */
export function* evaluateConditions(
  { expressions, hasParams }: CompiledConditions,
  inputs: ExpressionInputs,
): Evaluation<ConditionsResult> {
  const { object, oldObject, request, params, authorizers } = inputs;
  const activation = new Activation(
    { object, oldObject, request, params, namespaceObject: null, ...(authorizers ? { authorizers } : {}) },
    { budget: conditionsBudget, hasParams, readsAuthorizer: expressions.some(readsAuthorizer) },
  );
  const errors: string[] = [];
  try {
    const found: unknown[] = [];
    for (const expression of expressions) {
      const { value, error } = yield* activation.evaluate(expression);
      if (error !== '') errors.push(error);
      found.push(value);
    }
    if (found.includes(false)) return { isMatch: false, error: '', failures: errors.length };
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    return { isMatch: false, error: error.message, failures: 0 };
  }
  return { isMatch: errors.length === 0, error: aggregate(errors), failures: errors.length };
}

/** Reports whether an expression reads `authorizer`. */
export function readsAuthorizer({ program }: CompiledExpression): boolean {
  return program?.readsAuthorizer === true;
}

/** Errors as kube-apiserver joins them. */
function aggregate(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : (distinct[0] ?? '');
}
