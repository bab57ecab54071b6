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

/** The cost budget of all conditions of a webhook or policy, as in kube-apiserver. */
const conditionsBudget = 2_500_000;

/** Conditions under which a webhook is called or a policy runs, compiled. */
export interface CompiledConditions {
  readonly expressions: readonly CompiledExpression[];
  readonly hasParams: boolean;
}

/** The most conditions that validation accepts. */
const mostConditions = 64;

/** The options of the compilation of conditions. */
interface ConditionOptions extends Partial<Pick<ExpressionScope, 'hasParams' | 'environmentOf'>> {
  /** Called between conditions; returns a promise to await if the previous conditions took long. */
  readonly rest?: ReturnType<typeof pacer>;
}

/** Compiles conditions; other requests may run between them. */
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

/** The result of conditions. `failures` counts the conditions that failed. */
interface ConditionsResult {
  readonly isMatch: boolean;
  /** The reason why the result is unknown; '' if it is known. */
  readonly error: string;
  readonly failures: number;
}

/** Evaluates conditions. One false condition decides, even if others fail. */
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

/** Joins errors as kube-apiserver does. */
function aggregate(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length > 1 ? `[${distinct.join(', ')}]` : (distinct[0] ?? '');
}
