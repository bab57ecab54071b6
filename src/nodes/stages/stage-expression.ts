import { ExpressionError } from '../../cel/values/expression.ts';
import { fullEnvironment } from '../../cel/functions/environment.ts';
import { compileProgram } from '../../cel/program.ts';
import { type CelType, formatType, types } from '../../cel/types/cel-type.ts';
import { type CelValue, Failure } from '../../cel/values/cel-value.ts';
import { fromJsonWithInts } from '../../cel/values/from-json.ts';
import { meterFor, type WorkMeter } from '../../cel/values/work-meter.ts';
import { longestExpression } from './stage-schema.ts';
import type { JsonObject } from '../../meta/json-value.ts';

/** The values of the variables of expressions. */
export interface StageVariables {
  /** The pod or the node. */
  readonly object: JsonObject;
  /** The node of the pod, or the node itself. */
  readonly node: JsonObject;
  /** The present time in RFC 3339. */
  readonly now: string;
  /** The name of the last stage of the object; '' if it had none. */
  readonly stage: string;
  /** The addresses of the pod and of its node. */
  readonly podIP: string;
  readonly hostIP: string;
}

const variableNames = ['object', 'node', 'now', 'stage', 'podIP', 'hostIP'] as const;

const variableTypes = new Map<string, CelType>([
  ['object', types.dyn],
  ['node', types.dyn],
  ['now', types.string],
  ['stage', types.string],
  ['podIP', types.string],
  ['hostIP', types.string],
]);

/** The limit of the cost of one use of a stage, which then takes some 2 ms. */
const costLimit = 20_000;

/** The cost that is left for the expressions of one use of a stage. */
export interface StageBudget {
  cost: number;
  readonly meter: WorkMeter;
}

/** A budget for one use of a stage. */
export function newBudget(): StageBudget {
  return { cost: costLimit, meter: meterFor(costLimit) };
}

/** A compiled expression over the variables of stages. */
export interface StageExpression {
  /**
   * Returns the value, never a Failure. Throws ExpressionError if there is none, and CostExceeded
   * if the budget is spent.
   */
  readonly evaluate: (variables: StageVariables, budget: StageBudget) => CelValue;
}

/**
 * Compiles an expression, whose type is one of the given kinds or known only later. Throws
 * ExpressionError with the reason.
 */
export function compileExpression(text: string, kinds?: readonly string[]): StageExpression {
  if (text.length > longestExpression) throw new ExpressionError(`must have at most ${longestExpression} characters`);
  const program = compileProgram(text, {
    environment: fullEnvironment(),
    variables: variableTypes,
    mixedLiterals: true,
  });
  const { kind } = program.type;
  if (kinds && kind !== 'dyn' && !kinds.includes(kind)) {
    throw new ExpressionError(`has the type ${formatType(program.type)}: must be ${kinds.join(', ')}`);
  }
  return {
    evaluate(variables, budget) {
      const values = variableNames.map((name) => fromJsonWithInts(variables[name]));
      const { value, cost } = program.run(values, budget.cost, budget.meter);
      budget.cost -= cost;
      if (value instanceof Failure) throw new ExpressionError(value.message.slice(0, 200));
      return value;
    },
  };
}
