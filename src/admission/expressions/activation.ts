import { performance } from 'node:perf_hooks';
import { yieldIfLong } from '../../async/yield-if-long.ts';
import { type CelType, types } from '../../cel/types/cel-type.ts';
import { PendingDecision } from '../../cel/values/authorizer-value.ts';
import { CelObject, type CelValue, Failure } from '../../cel/values/cel-value.ts';
import { CostExceeded, meterFor } from '../../cel/values/work-meter.ts';
import type { Program } from '../../cel/program.ts';
import type { CompiledExpression } from './compile-expression.ts';
import type { ComposedVariables } from './compose-variables.ts';
import type { Evaluation } from './evaluation.ts';

/** The cost limit of one evaluation, as in kube-apiserver. */
const callLimit = 1_000_000;

/** The values of the variables of expressions. */
export interface ExpressionInputs {
  readonly object: CelValue;
  readonly oldObject: CelValue;
  readonly namespaceObject: CelValue;
  readonly request: CelValue;
  /** The parameter; null without one. */
  readonly params: CelValue;
  /** Makes the authorizer values when an expression reads one; absent: reading them is an error. */
  readonly authorizers?: () => AuthorizerInputs;
}

/** The values of `authorizer` and `authorizer.requestResource`. */
export interface AuthorizerInputs {
  readonly authorizer: CelValue;
  readonly requestResource: CelValue;
}

/** The result of an expression: a value, or an error with the message of kube-apiserver. */
export interface ExpressionResult {
  readonly value: CelValue;
  /** The error message; '' if there is a value. */
  readonly error: string;
  readonly durationMs: number;
}

/** Thrown when the cost budget is exhausted; no further expressions run. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';

  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** The budget of an activation, and the variables that its expressions declare. */
interface ActivationOptions {
  readonly budget: number;
  readonly hasParams: boolean;
  readonly variables?: ComposedVariables | undefined;
  /** False if none of the expressions reads an authorizer. */
  readonly readsAuthorizer?: boolean;
}

const missing = new Failure('no such attribute(s): authorizer');
const noAuthorizer: AuthorizerInputs = { authorizer: missing, requestResource: missing };
const tooLarge = new Failure('operation cancelled: the values are too large or nested too deeply');
const variablesType: CelType = types.dyn;

/**
 * The evaluation of several expressions over the same values, with a common cost budget. A variable
 * of the policy is computed when an expression first reads it.
 */
export class Activation {
  /** The cost that is left. */
  budget: number;
  /**
   * The work that is left. Work also counts what the cost model leaves out; its end ends evaluation
   * too.
   */
  #work: number;
  readonly #variables: ComposedVariables | undefined;
  /** The values of the variables, in the order of their declaration. */
  readonly #values: readonly CelValue[];
  readonly #known = new Map<string, CelValue>();
  #turnMs = performance.now();

  /** `hasParams` and `variables` must match the scope of the compiled expressions. */
  constructor(inputs: ExpressionInputs, options: ActivationOptions) {
    const { budget, hasParams, variables, readsAuthorizer = true } = options;
    this.budget = budget;
    this.#work = meterFor(budget).left;
    this.#variables = variables;
    const { object, oldObject, namespaceObject, request, params, authorizers } = inputs;
    const { authorizer, requestResource } = (readsAuthorizer && authorizers?.()) || noAuthorizer;
    const values = [object, oldObject, namespaceObject, request];
    if (variables) values.push(this.#composed(variables));
    if (hasParams) values.push(params);
    values.push(authorizer, requestResource);
    this.#values = values;
  }

  #composed({ expressions }: ComposedVariables): CelObject {
    return new CelObject(
      variablesType,
      (name) => this.#variable(name),
      () => [...expressions.keys()],
    );
  }

  /**
   * Evaluates an expression. Its cost, and the cost of variables that it reads first, is deducted
   * from the budget. Throws `BudgetExceeded`.
   */
  *evaluate(expression: CompiledExpression): Evaluation<ExpressionResult> {
    const { text, program } = expression;
    if (!program) return { value: null, error: `compilation error: ${expression.error}`, durationMs: 0 };
    const pause = yieldIfLong(this.#turnMs);
    if (pause) yield this.#resume(pause);
    for (;;) {
      const startMs = performance.now();
      try {
        const { value, cost } = this.#run(program);
        this.#spend(cost);
        const durationMs = performance.now() - startMs;
        if (!(value instanceof Failure)) return { value, error: '', durationMs };
        return { value: null, error: `expression '${text}' resulted in error: ${value.message}`, durationMs };
      } catch (error) {
        if (!(error instanceof PendingDecision)) throw error;
        yield this.#resume(error.known);
      }
    }
  }

  #run(program: Pick<Program, 'run'>): { readonly value: CelValue; readonly cost: number } {
    const meter = meterFor(callLimit);
    const { left } = meter;
    try {
      return program.run(this.#values, callLimit, meter);
    } catch (error) {
      // A stack overflow, or a string that is too long: thousands of variables may build on each
      // other.
      if (error instanceof RangeError) return { value: tooLarge, cost: callLimit };
      if (!(error instanceof CostExceeded)) throw error;
      return { value: new Failure(error.message), cost: callLimit };
    } finally {
      this.#work -= left - meter.left;
    }
  }

  #spend(cost: number): void {
    if (cost > this.budget || this.#work < 0) throw new BudgetExceeded();
    this.budget -= cost;
  }

  async #resume(pending: Promise<void>): Promise<void> {
    await pending;
    this.#turnMs = performance.now();
  }

  #variable(name: string): CelValue | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const expression = this.#variables?.expressions.get(name);
    const value = expression && this.#compute(name, expression);
    if (value !== undefined) this.#known.set(name, value);
    return value;
  }

  #compute(name: string, { program, error }: CompiledExpression): CelValue {
    if (!program) return new Failure(`composited variable ${JSON.stringify(name)} fails to compile: ${error}`);
    const { value, cost } = this.#run(program);
    this.#spend(cost);
    if (!(value instanceof Failure)) return value;
    return new Failure(`composited variable ${JSON.stringify(name)} fails to evaluate: ${value.message}`);
  }
}
