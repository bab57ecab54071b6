import { type CelValue, typeNameOf } from '../../../cel/values/cel-value.ts';
import {
  Activation,
  BudgetExceeded,
  type ExpressionInputs,
  type ExpressionResult,
} from '../../expressions/activation.ts';
import type { CompiledExpression } from '../../expressions/compile-expression.ts';
import { evaluateConditions } from '../../expressions/compile-conditions.ts';
import type { ValidatingExpressions } from './validating-policy.ts';
import type { Evaluation } from '../../expressions/evaluation.ts';

/**
 * The cost budget of the validations of a policy, for a binding and a parameter, as in
 * kube-apiserver.
 */
const policyBudget = 10_000_000;
/** The cost limit of one expression, from which it follows if messages can exceed their budget. */
const expressionCost = 1_000_000;

/** A failed validation, or an error of a policy. */
export interface Decision {
  /** The index of the validation; 0 for an error of the policy. */
  readonly index: number;
  readonly message: string;
  /** The reason of a failed validation; undefined for an error. */
  readonly reason: string | undefined;
  readonly durationMs: number;
}

/** An audit annotation. */
interface AuditValue {
  readonly key: string;
  readonly value: string;
}

/** The result of a policy for a binding and a parameter. */
export interface PolicyResult {
  /** Failed validations and errors. */
  readonly failures: readonly Decision[];
  readonly auditValues: readonly AuditValue[];
  /**
   * The errors of audit annotations, which deny the request whatever the actions of the binding.
   */
  readonly auditErrors: readonly Decision[];
}

const nothing: PolicyResult = Object.freeze({ failures: [], auditValues: [], auditErrors: [] });

/** The result of a policy that failed as a whole. */
function failed(message: string): PolicyResult {
  return { failures: [errorOf(0, message, 0)], auditValues: [], auditErrors: [] };
}

function errorOf(index: number, message: string, durationMs: number): Decision {
  return { index, message, reason: undefined, durationMs };
}

/** Called with the duration and the number of errors of match conditions. */
type ObserveConditions = (seconds: number, failures: number) => void;

/**
 * Evaluates a policy with one set of values: its conditions, its validations with their messages,
 * and its audit annotations. The three have separate budgets.
 */
export function* evaluatePolicy(
  expressions: ValidatingExpressions,
  inputs: ExpressionInputs,
  observeConditions: ObserveConditions,
): Evaluation<PolicyResult> {
  const { conditions, hasParams, variables, readsAuthorizer, validations, annotations } = expressions;
  if (conditions) {
    const startMs = performance.now();
    const { isMatch, error, failures } = yield* evaluateConditions(conditions, inputs);
    observeConditions((performance.now() - startMs) / 1_000, failures);
    if (error !== '') return failed(error);
    if (!isMatch) return nothing;
  }
  try {
    const activation = new Activation(inputs, { budget: policyBudget, hasParams, variables, readsAuthorizer });
    const evaluated: ExpressionResult[] = [];
    let areAllTrue = true;
    for (const { condition } of validations) {
      const result = yield* activation.evaluate(condition);
      areAllTrue &&= result.value === true;
      evaluated.push(result);
    }
    // Most policies pass and have nothing else to evaluate.
    if (areAllTrue && !expressions.hasMessages && annotations.length === 0) return nothing;
    const others = (budget: number): Activation =>
      new Activation(inputs, { budget, hasParams, variables, readsAuthorizer: false });
    const messages = yield* evaluateMessages(expressions, evaluated, () => others(activation.budget));
    const failures = failuresOf(expressions, evaluated, messages);
    return { failures, ...(yield* evaluateAnnotations(expressions, () => others(policyBudget))) };
  } catch (error) {
    if (error instanceof BudgetExceeded) return failed(error.message);
    throw error;
  }
}

/** The message results by the index of the validation, or the error that replaces all messages. */
type Messages = readonly (ExpressionResult | undefined)[] | { readonly error: string };

/**
 * Evaluates message expressions. Without a failed validation they are skipped, unless they could
 * exceed the budget, which would fail all validations.
 */
function* evaluateMessages(
  { validations, variables }: ValidatingExpressions,
  evaluated: readonly ExpressionResult[],
  activate: () => Activation,
): Evaluation<Messages> {
  const count = validations.filter(({ message }) => message !== undefined).length;
  if (count === 0) return [];
  const activation = activate();
  const mostCost = (count + (variables?.expressions.size ?? 0)) * expressionCost;
  const isFailed = (index: number) => evaluated[index]?.value !== true;
  if (mostCost <= activation.budget && !evaluated.some((_, index) => isFailed(index))) return [];
  const results: (ExpressionResult | undefined)[] = [];
  try {
    for (const { message } of validations) results.push(message && (yield* activation.evaluate(message)));
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    return { error: `failed messageExpression: ${error.message}` };
  }
  return results;
}

function failuresOf(
  { validations }: ValidatingExpressions,
  evaluated: readonly ExpressionResult[],
  messages: Messages,
): readonly Decision[] {
  return validations.flatMap(({ source }, index) => {
    const { value = null, error = '', durationMs = 0 } = evaluated[index] ?? {};
    if (error !== '') return [errorOf(index, error, durationMs)];
    if ('error' in messages) return [errorOf(index, messages.error, durationMs)];
    if (value === true) return [];
    const { message = '', reason = 'Invalid', expression } = source;
    const text = usableText(messages[index]) || message.trim() || `failed expression: ${expression.trim()}`;
    return [{ index, message: text, reason, durationMs }];
  });
}

/** The limit of the length of a message expression's result, in bytes. */
const longestMessage = 5 * 1_024;

/** The message of a result if it is usable, a single line of limited length; otherwise ''. */
function usableText({ value, error }: ExpressionResult = { value: null, error: '', durationMs: 0 }): string {
  if (error !== '' || typeof value !== 'string') return '';
  const text = value.trim();
  return Buffer.byteLength(text) > longestMessage || text.includes('\n') ? '' : text;
}

function* evaluateAnnotations(
  { annotations }: ValidatingExpressions,
  activate: () => Activation,
): Evaluation<Pick<PolicyResult, 'auditValues' | 'auditErrors'>> {
  const auditValues: AuditValue[] = [];
  const auditErrors: Decision[] = [];
  if (annotations.length === 0) return { auditValues, auditErrors };
  const activation = activate();
  for (const { source, value: expression } of annotations) {
    const { value, error, durationMs } = yield* activation.evaluate(expression);
    const problem = error || problemOf(expression, value);
    if (problem !== '') auditErrors.push(errorOf(0, problem, durationMs));
    else if (typeof value === 'string' && value.trim() !== '')
      auditValues.push({ key: source.key, value: value.trim() });
  }
  return { auditValues, auditErrors };
}

function problemOf({ text }: CompiledExpression, value: CelValue): string {
  if (value === null || typeof value === 'string') return '';
  return `valueExpression '${text}' resulted in unsupported return type: ${typeNameOf(value)}. Return type must be either string or null.`;
}
