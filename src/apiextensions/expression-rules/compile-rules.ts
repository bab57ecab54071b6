import { estimateCost } from '../../cel/cost/estimate.ts';
import { ExpressionError } from '../../cel/values/expression.ts';
import { type Environment, fullEnvironment } from '../../cel/functions/environment.ts';
import { compileProgram, type Program } from '../../cel/program.ts';
import type { CelType } from '../../cel/types/cel-type.ts';
import type { PathStep } from '../../scheme/model/format-path.ts';
import { fieldPathSteps } from './rule-field-path.ts';
import { largestRequest, type SchemaType } from './schema-type.ts';
import type { ValidationRule } from './validation-rule.ts';

/** An expression of a rule, or the reason why there is none. */
export type CompiledExpression =
  | { readonly program: Program; readonly maxCost: number; readonly error?: undefined }
  | { readonly program?: undefined; readonly error: string };

/** A rule whose expressions are compiled. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly condition: CompiledExpression;
  readonly message: CompiledExpression | undefined;
  readonly usesOldSelf: boolean;
  readonly fieldSteps: readonly PathStep[];
}

/** Returns the environment of an expression, which may depend on its text. */
export type EnvironmentOf = (part: 'rule' | 'messageExpression', text: string) => Environment;

/**
 * Compiles a rule over the values of a schema; undefined for an empty rule. By default all
 * functions are allowed.
 */
export function compileRule(
  rule: ValidationRule,
  scope: SchemaType,
  environmentOf: EnvironmentOf = fullEnvironment,
): CompiledRule | undefined {
  if (rule.rule.trim() === '') return undefined;
  const { type } = scope;
  const oldSelf: CelType = rule.optionalOldSelf === true ? { kind: 'optional', value: type } : type;
  const variables = new Map([
    ['self', type],
    ['oldSelf', oldSelf],
  ]);
  const condition = compileExpression(rule.rule, variables, {
    environment: environmentOf('rule', rule.rule),
    kind: 'bool',
    wrong: 'cel expression must evaluate to a bool',
  });
  return {
    rule,
    condition,
    message:
      rule.messageExpression.trim() === ''
        ? undefined
        : compileExpression(rule.messageExpression, variables, {
            environment: environmentOf('messageExpression', rule.messageExpression),
            kind: 'string',
            wrong: 'messageExpression must evaluate to a string',
            what: 'messageExpression ',
          }),
    usesOldSelf: condition.program?.reads.has('oldSelf') === true,
    fieldSteps: fieldPathSteps(rule.fieldPath.trim(), scope.schema) ?? [],
  };
}

/** Compiles an expression; its value must be of a kind. `what` begins the message of an error. */
function compileExpression(
  text: string,
  variables: ReadonlyMap<string, CelType>,
  wanted: {
    readonly environment: Environment;
    readonly kind: CelType['kind'];
    readonly wrong: string;
    readonly what?: string;
  },
): CompiledExpression {
  try {
    const program = compileProgram(text, { environment: wanted.environment, variables });
    if (program.type.kind !== wanted.kind) return { error: wanted.wrong };
    return { program, maxCost: estimateCost(program.checked, variables.get('self') ?? program.type).max };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: `${wanted.what ?? ''}${error.message}` };
    throw error;
  }
}

/** The number of values of a schema that a request can have, if nothing else limits them. */
export function mostValues({ minSize }: SchemaType): number {
  return Math.floor(largestRequest / (minSize + 1));
}
