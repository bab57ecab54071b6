import { performance } from 'node:perf_hooks';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { nextTurn, yieldIfLong } from '../../async/yield-if-long.ts';
import { type CelValue, Failure } from '../../cel/values/cel-value.ts';
import { CostExceeded, costOfWork, meterFor, spend, type WorkMeter } from '../../cel/values/work-meter.ts';
import type { PathStep } from '../../scheme/model/format-path.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import {
  duplicate,
  duplicateUnshown,
  type FieldError,
  forbidden,
  invalid,
  invalidUnshown,
  required,
} from '../../status/field-error.ts';
import type { CompiledExpression, CompiledRule } from './compile-rules.ts';
import { ruleText } from './validation-rule.ts';

/** The budget left to the rules of an object; a negative cost: no further rules run. */
export interface RuleBudget {
  left: number;
  /** The work that prices leave out; it ends like the cost. */
  readonly meter: WorkMeter;
  /** Called between rules: a promise of the next turn if those before it took long or cost much. */
  readonly rest: () => MaybePromise<void>;
}

/** The budget of the rules of an object, from its limit of cost. */
export function ruleBudget(limit: number): RuleBudget {
  const spent = { left: limit, meter: meterFor(limit) };
  return Object.assign(spent, { rest: restByCost(spent) });
}

/**
 * The cost after which other requests run, some milliseconds. A rule runs in one turn, so that a
 * turn has rules of at most this cost and one more, which `callLimit` limits.
 */
const turnCost = 200_000;

/** The cost is a measure that no busy machine changes. */
function restByCost(budget: Spent): () => MaybePromise<void> {
  let last = spentUntil(budget);
  let startMs = performance.now();
  return () => {
    const spent = spentUntil(budget);
    const turn = spent - last < turnCost ? yieldIfLong(startMs) : nextTurn();
    return turn?.then(() => void ([last, startMs] = [spent, performance.now()]));
  };
}

type Spent = Pick<RuleBudget, 'left' | 'meter'>;

/** All cost and work of the rules up to now, as cost. */
function spentUntil({ left, meter }: Spent): number {
  return -left - costOfWork(meter.left);
}

/** The value that the error of a rule shows. */
export interface ShownValue {
  readonly value: JsonValue;
}

/** The value that a rule looks at: the type of its schema, and the path of a part of it. */
interface RuleSubject {
  /** The value in the error of a failed rule; undefined: no value. */
  readonly shown: ShownValue | undefined;
  readonly type: string;
  readonly pathOf: (steps: readonly PathStep[]) => string;
}

/** The error of a rule. One that an unchanged value causes may have been there before. */
interface RuleError {
  readonly error: FieldError;
  readonly mayBeOld: boolean;
}

/** The cost of one evaluation, as in kube-apiserver. */
const callLimit = 1_000_000;

/** The most bytes of the message of an expression. */
const longestMessage = 5 * 1024;

/**
 * Runs a rule with the values of `self` and `oldSelf`. Takes its cost from the budget. Returns its
 * error, if it has one.
 */
export function runRule(
  { rule, condition, message, fieldSteps }: CompiledRule,
  values: readonly CelValue[],
  { shown, type, pathOf }: RuleSubject,
  budget: RuleBudget,
): RuleError | undefined {
  const text = ruleText(rule);
  const fail = (detail: string): RuleError => ({ error: invalid(pathOf([]), type, detail), mayBeOld: false });
  if (budget.left <= 0) return exhausted(budget, fail(outOfBudget));
  if (!condition.program) return fail(`rule compile error: ${condition.error}`);
  const outcome = evaluate(condition, values, budget);
  if (outcome === exceeded) {
    return exhausted(
      budget,
      fail(
        `'${costExceeded}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`,
      ),
    );
  }
  if (budget.left < 0) return fail(outOfBudget);
  if (outcome instanceof Failure) return fail(failureText(outcome.message, text));
  if (outcome === true) return undefined;
  const field = pathOf(fieldSteps);
  const explained = message ? explain(message, rule.messageExpression, values, budget) : undefined;
  if (explained?.isFatal) return { error: invalid(field, type, explained.text), mayBeOld: true };
  const detail = explained?.text ?? (rule.message === '' ? `failed rule: ${text}` : text);
  return { error: errorOf(rule.reason, { field, shown, detail }), mayBeOld: true };
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';
const costExceeded = 'operation cancelled: actual cost limit exceeded';

function exhausted(budget: RuleBudget, error: RuleError): RuleError {
  budget.left = -1;
  return error;
}

/** Stands for the value of an evaluation that cost too much. */
const exceeded = Symbol('exceeded');

/** The value of an expression; its cost is taken from the budget. */
function evaluate(
  { program }: CompiledExpression,
  values: readonly CelValue[],
  budget: RuleBudget,
): CelValue | typeof exceeded | undefined {
  try {
    return runWithin(program, values, budget);
  } catch (error) {
    if (error instanceof CostExceeded) return exceeded;
    throw error;
  }
}

function runWithin(
  program: CompiledExpression['program'],
  values: readonly CelValue[],
  budget: RuleBudget,
): CelValue | undefined {
  const meter = meterFor(callLimit);
  const { left } = meter;
  const outcome = program?.run(values, callLimit, meter);
  budget.left -= outcome?.cost ?? 0;
  spend(budget.meter, left - meter.left);
  return outcome?.value;
}

function failureText(why: string, text: string): string {
  return why.startsWith('no such overload')
    ? `'${why}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`
    : `${why} evaluating rule: ${text}`;
}

/** The text of a message expression; undefined if it has none, so that the message counts. */
function explain(
  message: CompiledExpression,
  source: string,
  values: readonly CelValue[],
  budget: RuleBudget,
): { readonly text: string; readonly isFatal: boolean } | undefined {
  const value = evaluate(message, values, budget);
  if (value === exceeded || budget.left < 0) {
    budget.left = -1;
    const quoted = JSON.stringify(source);
    return {
      text:
        value === exceeded
          ? `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${quoted}`
          : 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      isFatal: true,
    };
  }
  const text = typeof value === 'string' ? value.trim() : '';
  const isUsable = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= longestMessage;
  return isUsable ? { text, isFatal: false } : undefined;
}

function errorOf(
  reason: string | undefined,
  { field, shown, detail }: { readonly field: string; readonly shown: ShownValue | undefined; readonly detail: string },
): FieldError {
  if (reason === 'FieldValueForbidden') return forbidden(field, detail);
  if (reason === 'FieldValueRequired') return required(field, detail);
  if (reason === 'FieldValueDuplicate') return shown ? duplicate(field, shown.value) : duplicateUnshown(field);
  return shown ? invalid(field, shown.value, detail) : invalidUnshown(field, detail);
}
