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

/** The cost of one evaluation, as in kube-apiserver. */
const callLimit = 1_000_000;

/** The values that expressions read. */
export interface ExpressionInputs {
  readonly object: CelValue;
  readonly oldObject: CelValue;
  readonly namespaceObject: CelValue;
  readonly request: CelValue;
  /** Null for none. */
  readonly params: CelValue;
  /** Makes them when an expression reads one; absent: reading them fails. */
  readonly authorizers?: () => AuthorizerInputs;
}

/** The values of `authorizer` and `authorizer.requestResource`. */
export interface AuthorizerInputs {
  readonly authorizer: CelValue;
  readonly requestResource: CelValue;
}

/** The result of an expression: a value, or an error as kube-apiserver words it. */
export interface ExpressionResult {
  readonly value: CelValue;
  /** '' if there is a value. */
  readonly error: string;
  readonly durationMs: number;
}

/** No further expressions run. The message says why. */
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
 * Expressions over the same values, with one budget of cost. A variable of the policy is computed
 * when the first of them reads it.
 */
export class Activation {
  /** The cost that is left. */
  budget: number;
  /** The work that is left, of which the prices of calls leave out much. It ends like the cost. */
  #work: number;
  readonly #variables: ComposedVariables | undefined;
  /** In the order in which they are declared. */
  readonly #values: readonly CelValue[];
  readonly #known = new Map<string, CelValue>();
  #turnMs = performance.now();

  /** The expressions declare `params` if there are any, and `variables` if these are given. */
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
   * Evaluates an expression and takes its cost, and the cost of the variables that it reads first,
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
      // The stack or a text cannot grow any more: thousands of variables may build on each other.
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
